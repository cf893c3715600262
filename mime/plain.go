package mime

import (
	"encoding/binary"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// isPlain reports whether the body of p is its text in UTF-8: without a transfer encoding,
// in lines of printable ASCII and tabs. Most texts are.
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

// plainLines reports whether bytes are printable ASCII, tabs, LF, and CR before LF. It
// reads sixteen printable bytes at a time.
func plainLines(b []byte) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for i := 0; i < len(b); i++ {
		// The high bits tell bytes of 0x80 and above, 0x7F, and those below 0x20.
		for i+16 <= len(b) {
			w, v := binary.LittleEndian.Uint64(b[i:]), binary.LittleEndian.Uint64(b[i+8:])
			if (w|(w+ones)|^(w+ones*(0x80-' '))|v|(v+ones)|^(v+ones*(0x80-' ')))&high != 0 {
				break
			}
			i += 16
		}
		if i == len(b) {
			break
		}
		switch c := b[i]; {
		case ' ' <= c && c <= '~', c == '\t', c == '\n':
		case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
			i++
		default:
			return false
		}
	}
	return true
}
