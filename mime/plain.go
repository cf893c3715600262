package mime

import (
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// isPlain reports whether the body of p is its text in UTF-8: without a transfer encoding,
// in lines of printable ASCII, tabs and form feeds. Most texts are. mayBegin reports whether one
// of the lines may begin a file.
func (m *Message) isPlain(p *Part, charset string) (ok, mayBegin bool) {
	if !p.unencoded() || charset != "us-ascii" && charset != "utf-8" || m.cutOff(p) {
		return false, false
	}
	body, t := m.Body(p), meter.New(m.ctx)
	for len(body) > 0 {
		n := min(len(body), meter.Every)
		if n < len(body) && body[n-1] == '\r' {
			n++
		}
		plain, begins := plainLines(body[:n])
		if !plain || t.Spend(n) != nil {
			return false, false
		}
		mayBegin, body = mayBegin || begins, body[n:]
	}
	return true, mayBegin
}

// plainLines reports whether bytes are printable ASCII, tabs, form feeds, LF, and CR before LF, and whether
// one of these lines may begin a file.
func plainLines(b []byte) (plain, mayBegin bool) {
	n, mayBegin := ascii.Lines(b, &charset.BeginsHead, charset.MayBeHead)
	return n == len(b), mayBegin || charset.MayBeHead(b)
}
