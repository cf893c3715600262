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

// knownBy returns the fields by which people know a message.
func knownBy(m *mime.Message) (h report.Header) {
	for _, f := range m.Root.Fields {
		switch {
		case h.MessageID == "" && ascii.EqualFold(f.Name, "Message-ID"):
			h.MessageID = shortened(m.FieldValue(f))
		case h.Date == "" && ascii.EqualFold(f.Name, "Date"):
			h.Date = shortened(m.FieldValue(f))
		case h.From == "" && ascii.EqualFold(f.Name, "From"):
			h.From = shortened(m.DecodedValue(f))
		case h.Subject == "" && ascii.EqualFold(f.Name, "Subject"):
			h.Subject = shortened(m.DecodedValue(f))
		}
	}
	return h
}

// shortened returns a value that does not hold the memory of a longer one.
func shortened(value string) string {
	if len(value) > maxKnownBy {
		return strings.Clone(value[:maxKnownBy])
	}
	return value
}
