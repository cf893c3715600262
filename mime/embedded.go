package mime

import (
	"bytes"
	"strings"
)

// Embedded parses a content of p as a message; the caller knows that it is one. The
// messages around it count for Limits.Depth. Offsets in the result refer to its own Raw.
// The error has the [Reason]: messages are nested too deep.
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

// HasEncodedParts reports whether p is a multipart whose parts were found as written although it has
// a transfer encoding.
func (m *Message) HasEncodedParts(p *Part) bool {
	return len(p.children) > 0 && !p.unencoded()
}

// EmbeddedParts parses a content of p as a multipart where only some programs do: p is a multipart
// with a transfer encoding, which RFC 2045 §6.4 forbids, or another type with a boundary that
// the content has. It returns nil where p is neither. The error has the [Reason]: parts are
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

// hasDelimiter reports whether a content has a delimiter: a line of the boundary alone.
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

// quotedText escapes a text for quotes (RFC 5322 §3.2.4), on one line.
var quotedText = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "")
