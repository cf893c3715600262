package mime

import (
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// isPlain reports whether the body of p already is its text in UTF-8: without a transfer encoding, in
// lines of printable ASCII, tabs and form feeds. Most texts are plain.
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
		if ascii.Lines(body[:n]) < n || t.Spend(n) != nil {
			return false
		}
		body = body[n:]
	}
	return true
}
