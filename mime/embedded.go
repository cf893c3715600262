package mime

import (
	"bytes"
	"strings"
)

// Embedded parses a content of p as a message; the caller knows that it is one. The multiparts and
// messages around it count for Limits.Depth. Offsets in the result refer to its own Raw. The only error
// is that messages are nested too deep.
func (m *Message) Embedded(p *Part, content []byte) (*Message, error) {
	depth := m.depth + 1
	for range p.ancestors() {
		depth++
	}
	if depth > m.limits.Depth {
		return nil, unreadable(reasonTooDeep, "messages in messages")
	}
	inner := parseCut(m.ctx, content, m.limits, depth, m.cutOff(p))
	if p.unencoded() {
		m.checkInnerHeaderEnd(p, inner)
	}
	return inner, nil
}

// HasEncodedParts reports whether p is a multipart that declares a transfer encoding, but has parts
// without decoding.
func (m *Message) HasEncodedParts(p *Part) bool {
	return len(p.children) > 0 && !p.unencoded()
}

// EmbeddedParts parses a content of p as a multipart if only some programs do so. Either p is a
// multipart with a transfer encoding, which RFC 2045 §6.4 forbids, or it has another type and a
// boundary that occurs in the content. Otherwise it returns nil. The only error is that parts are
// nested too deep.
func (m *Message) EmbeddedParts(p *Part, content []byte) (*Message, error) {
	boundary := p.params.get("boundary")
	if p.isMultipart() && p.unencoded() || !p.isMultipart() && !hasDelimiter(content, boundary) {
		return nil, nil
	}
	var b bytes.Buffer
	if p.isMultipart() {
		for i := range p.Fields {
			if f := &p.Fields[i]; f.named("Content-Type") {
				b.Write(m.Raw[f.start:f.end])
			}
		}
	} else {
		b.WriteString(`Content-Type: multipart/mixed; boundary="` + quotedText.Replace(boundary) + "\"\r\n")
	}
	b.WriteString("\r\n")
	b.Write(content)
	return m.Embedded(p, b.Bytes())
}

// hasDelimiter reports whether a content has a line that is a delimiter with this boundary.
func hasDelimiter(content []byte, boundary string) bool {
	if boundary == "" {
		return false
	}
	delimiter := []byte("--" + boundary)
	for at := 0; ; {
		i := bytes.Index(content[at:], delimiter)
		if i < 0 {
			return false
		}
		start := at + i
		at = start + len(delimiter)
		isStart := start == 0 || content[start-1] == '\n' || content[start-1] == '\r'
		if isStart && (at == len(content) || bytes.IndexByte([]byte(" \t\r\n-"), content[at]) >= 0) {
			return true
		}
	}
}

// quotedText escapes a text for a quoted string (RFC 5322 §3.2.4), on one line.
var quotedText = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "")
