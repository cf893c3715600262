// Package percent reads and writes percent-escapes of URLs (RFC 3986 §2.1) as browsers do: a
// percent sign without two hexadecimal digits after it stands for itself, and does not affect the
// escapes around it.
package percent

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Append appends each byte of s as an escape.
func Append[T string | []byte](dst []byte, s T) []byte {
	for i := range len(s) {
		dst = append(dst, '%', ascii.UpperHex[s[i]>>4], ascii.UpperHex[s[i]&15])
	}
	return dst
}

// AppendRune appends the escapes of the UTF-8 form of r.
func AppendRune(dst []byte, r rune) []byte {
	var buf [utf8.UTFMax]byte
	return Append(dst, buf[:utf8.EncodeRune(buf[:], r)])
}

// Byte returns the byte of the escape that s begins with, or false if s does not begin with one.
func Byte(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	return ascii.HexByte(s[1], s[2])
}

// Decode returns s with every escape decoded once (WHATWG URL, percent-decode). The
// result need not be UTF-8.
func Decode(s string) string { return DecodeMarked(s, '%') }

// DecodeMarked is Decode for escapes that begin with another byte than the percent sign, such as
// "=" in quoted-printable.
func DecodeMarked(s string, mark byte) string {
	i := strings.IndexByte(s, mark)
	if i < 0 {
		return s
	}
	dst := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		c := s[i]
		if c == mark && i+2 < len(s) {
			if b, ok := ascii.HexByte(s[i+1], s[i+2]); ok {
				c = b
				i += 2
			}
		}
		dst = append(dst, c)
	}
	return string(dst)
}

// Normalize returns s with the escapes of unreserved characters decoded and all others in upper
// case (RFC 3986 §6.2.2): URLs that are equal after that open the same.
func Normalize(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	dst := append(make([]byte, 0, len(s)), s[:i]...)
	for i < len(s) {
		b, ok := Byte(s[i:])
		switch {
		case !ok:
			dst = append(dst, s[i])
			i++
			continue
		case IsUnreserved(b):
			dst = append(dst, b)
		default:
			dst = Append(dst, []byte{b})
		}
		i += 3
	}
	return string(dst)
}

// IsUnreserved reports whether c is an ASCII character that means the same whether it is escaped or
// not (RFC 3986 §2.3).
func IsUnreserved[C byte | rune](c C) bool {
	return ascii.IsAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// A Spelling says how a unit of a URL is written.
type Spelling uint8

// The spellings.
const (
	Typed   Spelling = iota // a character as typed
	Escaped                 // a character as escapes of its UTF-8 bytes
	Stray                   // an escape that is not part of well-formed UTF-8
)

// A Unit is the smallest thing of a URL that can be written in two ways: a
// character, typed or escaped.
type Unit struct {
	Rune     rune // the character; the byte for Stray
	Size     int  // length in bytes of its spelling
	Spelling Spelling
}

// Next reads the unit that s, which is not empty, begins with. An escape that is not part of
// well-formed UTF-8 is a unit by itself, so that it hides nothing that follows.
func Next(s string) Unit {
	b, ok := Byte(s)
	switch {
	case !ok && s[0] < utf8.RuneSelf:
		return Unit{rune(s[0]), 1, Typed}
	case !ok:
		r, size := utf8.DecodeRuneInString(s)
		return Unit{r, size, Typed}
	case b < utf8.RuneSelf:
		return Unit{rune(b), 3, Escaped}
	}
	var buf [utf8.UTFMax]byte
	n := 0
	for n < len(buf) {
		b, ok := Byte(s[3*n:])
		if !ok {
			break
		}
		buf[n] = b
		n++
	}
	if r, size := utf8.DecodeRune(buf[:n]); size > 1 {
		return Unit{r, 3 * size, Escaped}
	}
	return Unit{rune(b), 3, Stray}
}

// HasStray reports whether an escape of s is not part of well-formed UTF-8. The
// escapes are then of some other encoding, and those that happen to look like UTF-8
// mean something else (UTS #58 §4.1).
func HasStray(s string) bool {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return false
		}
		u := Next(s[i:])
		if u.Spelling == Stray {
			return true
		}
		s = s[i+u.Size:]
	}
}
