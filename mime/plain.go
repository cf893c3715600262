package mime

import (
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// isPlain reports whether the body of p is its text in UTF-8: without a transfer encoding,
// in lines of printable ASCII, tabs and form feeds. Most texts are.
func (m *Message) isPlain(p *Part, charset string) bool {
	if !p.unencoded() || charset != "us-ascii" && charset != "utf-8" || m.cutOff(p) {
		return false
	}
	body, t := m.Body(p), meter.New(m.ctx)
	for len(body) > 0 {
		n := min(len(body), meter.Every)
		if n < len(body) && body[n-1] == '\r' {
			n++
		}
		if !plainLines(body[:n]) || t.Spend(n) != nil {
			return false
		}
		body = body[n:]
	}
	return true
}

// plainLines reports whether bytes are printable ASCII, tabs, form feeds, LF, and CR before LF.
func plainLines(b []byte) bool {
	for {
		b = b[ascii.Printable(b):]
		switch {
		case len(b) == 0:
			return true
		case b[0] == '\t', b[0] == '\n', b[0] == '\f':
			b = b[1:]
		case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
			b = b[2:]
		default:
			return false
		}
	}
}
