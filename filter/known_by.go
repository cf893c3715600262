package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// maxKnownBy bounds the fields of a [report.Header], in bytes: the log and the reports
// keep them for each message.
const maxKnownBy = 1 << 10

// knownBy returns the fields by which people know a message, and the values that need decoding.
func knownBy(m *mime.Message) (h report.Header, known knownValues) {
	for _, f := range m.Root.Fields {
		switch {
		case h.MessageID == "" && ascii.EqualFold(f.Name, "Message-ID"):
			h.MessageID = shortened(m.FieldValue(f))
		case h.Date == "" && ascii.EqualFold(f.Name, "Date"):
			h.Date = shortened(m.FieldValue(f))
		case h.From == "" && ascii.EqualFold(f.Name, "From"):
			known[0].field = f
			known[0].raw, known[0].decoded = values(m, f)
			h.From = shortened(known[0].decoded)
		case h.Subject == "" && ascii.EqualFold(f.Name, "Subject"):
			known[1].field = f
			known[1].raw, known[1].decoded = values(m, f)
			h.Subject = shortened(known[1].decoded)
		}
	}
	return h, known
}

// shortened returns a value that does not hold the memory of a longer one.
func shortened(value string) string {
	if len(value) > maxKnownBy {
		return strings.Clone(value[:maxKnownBy])
	}
	return value
}
