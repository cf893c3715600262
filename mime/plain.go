package mime

import (
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// isPlain reports whether the body of p is its text in UTF-8: without a transfer encoding,
// in lines of printable ASCII, tabs and form feeds. Most texts are. file reports whether one
// of the lines may begin a file.
func (m *Message) isPlain(p *Part, charset string) (plain, file bool) {
	if !p.unencoded() || charset != "us-ascii" && charset != "utf-8" || m.cutOff(p) {
		return false, false
	}
	body, t := m.Body(p), meter.New(m.ctx)
	for len(body) > 0 {
		n := min(len(body), meter.Every)
		if n < len(body) && body[n-1] == '\r' {
			n++
		}
		isPlain, mayBegin := plainLines(body[:n])
		if file = file || mayBegin; !isPlain || t.Spend(n) != nil {
			return false, false
		}
		body = body[n:]
	}
	return true, file
}

// plainLines reports whether bytes are printable ASCII, tabs, form feeds, LF, and CR before LF, and whether
// one of these lines may begin a file.
func plainLines(b []byte) (plain, file bool) {
	n, file := ascii.Lines(b, &charset.BeforeFile, charset.MayBeginFile)
	return n == len(b), file || charset.MayBeginFile(b)
}
