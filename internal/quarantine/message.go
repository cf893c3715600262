package quarantine

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/mime"
)

// fieldQuarantined is the field that the content filter writes on top of a message in
// quarantine.
const fieldQuarantined = "X-Linkmilter-Quarantined"

// A Message is a message in quarantine, without its recipients.
type Message struct {
	Name       string    // name of its file, without the flags of mail programs
	Time       time.Time // when it came
	Size       int64     // in bytes
	QueueID    string
	Sender     string // of the envelope
	Recipients int    // how many there are
	Subject    string // decoded
	Worst      string // severity of its findings
	Codes      []string
}

const (
	// maxHeader bounds what is read of a header, in bytes.
	maxHeader = 1 << 20
	// headerChunk is how much is read at once: large messages are not read for their headers.
	headerChunk = 16 << 10
)

// readHeader reads the header of a message.
func readHeader(r io.Reader) (*mime.Message, error) {
	var content []byte
	end := []byte("\r\n\r\n")
	for r = io.LimitReader(r, maxHeader); ; {
		chunk := make([]byte, headerChunk)
		n, err := io.ReadFull(r, chunk)
		from := max(0, len(content)-len(end)+1)
		content = append(content, chunk[:n]...)
		if i := bytes.Index(content[from:], end); i >= 0 {
			content = content[:from+i+len(end)]
			break
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return mime.Parse(context.Background(), content, mime.Limits{}), nil
}

// fill sets the fields that describe the message from its header.
func (m *Message) fill(header *mime.Message) {
	id := ""
	codes := map[string][]string{} // by the id of the writer
	for i, f := range header.Root.Fields {
		switch value := header.FieldValue(f); {
		case i == 0 && strings.EqualFold(f.Name, fieldQuarantined):
			m.QueueID, m.Sender = parameter(value, "id"), strings.Trim(parameter(value, "from"), "<>")
			m.Recipients, _ = strconv.Atoi(parameter(value, "recipients"))
		case strings.EqualFold(f.Name, "X-Linkmilter"):
			id, m.Worst = idOf(value), parameter(value, "worst") // the last such field is linkmilter's own
		case strings.EqualFold(f.Name, fieldFinding):
			by, code := idOf(value), parameter(value, "code")
			if code != "" && !slices.Contains(codes[by], code) {
				codes[by] = append(codes[by], code)
			}
		case strings.EqualFold(f.Name, "Subject"):
			m.Subject = header.DecodedValue(f)
		}
	}
	m.Codes = codes[id]
}

// parameter returns a parameter of a field that linkmilter wrote, or "".
func parameter(value, key string) string {
	for p := range strings.SplitSeq(value, ";") {
		if v, found := strings.CutPrefix(strings.TrimSpace(p), key+"="); found {
			return v
		}
	}
	return ""
}
