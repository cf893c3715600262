package mime

// Embedded parses the body of p as a message; the caller knows that p is one. The messages
// around it count for Limits.Depth. Offsets in the result refer to its own Raw. The error
// has the [Reason]: the transfer encoding is broken, or messages are nested too deep.
func (m *Message) Embedded(p *Part) (*Message, error) {
	raw, err := m.content(p)
	if err != nil {
		return nil, err
	}
	depth := m.depth + 1
	for range p.ancestors() {
		depth++
	}
	if depth > m.limits.Depth {
		return nil, unreadable(ReasonTooDeep, "messages in messages")
	}
	return parseCut(m.ctx, raw, m.limits, depth, m.cutOff(p)), nil
}
