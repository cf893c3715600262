package mime

import "bytes"

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
	return parseCut(m.ctx, content, m.limits, depth, m.cutOff(p)), nil
}

// EmbeddedParts parses the content of a multipart that has a transfer encoding, which some
// programs obey although RFC 2045 §6.4 forbids it. The error has the [Reason]: p has no
// such encoding, or parts are nested too deep.
func (m *Message) EmbeddedParts(p *Part, content []byte) (*Message, error) {
	if p.unencoded() {
		return nil, unreadable(reasonNotText, "%s", p.MediaType)
	}
	var b bytes.Buffer
	for i := range p.Fields {
		if f := &p.Fields[i]; f.named("Content-Type") {
			b.Write(m.Raw[f.start:f.end])
		}
	}
	b.WriteString("\r\n")
	b.Write(content)
	return m.Embedded(p, b.Bytes())
}
