package mime

import (
	"encoding/base64"
)

// base64Size returns how long n bytes are in base64 with CRLF between lines.
func base64Size(n int) int {
	encoded := base64.StdEncoding.EncodedLen(n)
	if encoded == 0 {
		return 0
	}
	return encoded + (encoded-1)/longestEncoded*len("\r\n")
}

// base64Lines encodes bytes in lines that eol separates. Line ends of the text
// become CRLF, as RFC 2045 §6.8 demands.
type base64Lines struct {
	eol   string
	width int // digits in a line; 0 means the most that RFC 2045 §6.8 allows
	dst   []byte
	group [longestEncoded / 4 * 3]byte // bytes of the next line
	n     int
	more  bool // a line was written
}

func (b *base64Lines) encode(stretch []byte, _ bool) {
	for len(stretch) > 0 {
		line, rest, ended := cutLine(stretch)
		b.add(line)
		if ended {
			b.add([]byte("\r\n"))
		}
		stretch = rest
	}
}

func (b *base64Lines) add(s []byte) {
	room := len(b.group)
	if b.width > 0 {
		room = b.width / 4 * 3
	}
	for len(s) > 0 {
		if b.n == room {
			b.flush()
		}
		n := copy(b.group[b.n:room], s)
		b.n += n
		s = s[n:]
	}
}

// flush writes the remaining bytes as a line.
func (b *base64Lines) flush() {
	if b.n == 0 {
		return
	}
	if b.more {
		b.dst = append(b.dst, b.eol...)
	}
	b.dst = base64.StdEncoding.AppendEncode(b.dst, b.group[:b.n])
	b.n, b.more = 0, true
}
