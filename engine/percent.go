package engine

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// appendEscaped appends each byte of s as a percent-escape.
func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	for i := range len(s) {
		dst = append(dst, '%', hexDigits[s[i]>>4], hexDigits[s[i]&15])
	}
	return dst
}

// appendEscapedRune appends the UTF-8 form of r, percent-escaped.
func appendEscapedRune(dst []byte, r rune) []byte {
	var buf [utf8.UTFMax]byte
	return appendEscaped(dst, buf[:utf8.EncodeRune(buf[:], r)])
}

// hexValue returns the value of a hexadecimal digit, or -1.
func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// escapedByte returns the byte that the percent-escape at the start of s means, or
// false if s does not begin with one.
func escapedByte(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	hi, lo := hexValue(s[1]), hexValue(s[2])
	if hi < 0 || lo < 0 {
		return 0, false
	}
	return byte(hi<<4 | lo), true
}

// A spelling is the way in which a unit of a URL is written.
type spelling uint8

const (
	typed     spelling = iota // a character, unescaped
	escaped                   // a character as percent-escapes of its UTF-8 bytes
	strayByte                 // a percent-escape that is not part of well-formed UTF-8
)

// A unit is the smallest text that can be written in two ways: a character, typed or
// percent-escaped.
type unit struct {
	r        rune // the character; the byte for strayByte
	size     int  // length in the text, in bytes
	spelling spelling
}

// nextUnit reads the unit at the start of s, which is not empty.
func nextUnit(s string) unit {
	b, ok := escapedByte(s)
	switch {
	case !ok && s[0] < utf8.RuneSelf:
		return unit{rune(s[0]), 1, typed}
	case !ok:
		r, size := utf8.DecodeRuneInString(s)
		return unit{r, size, typed}
	case b < utf8.RuneSelf:
		return unit{rune(b), 3, escaped}
	}
	var buf [utf8.UTFMax]byte
	n := 0
	for n < len(buf) {
		b, ok := escapedByte(s[3*n:])
		if !ok {
			break
		}
		buf[n] = b
		n++
	}
	if r, size := utf8.DecodeRune(buf[:n]); size > 1 {
		return unit{r, 3 * size, escaped}
	}
	return unit{rune(b), 3, strayByte}
}

// isLegacy reports whether the escapes of a URL are not all well-formed UTF-8. Then
// its bytes have another encoding, and those that happen to look like UTF-8 mean
// something else (UTS #58 §4.1).
func isLegacy(s string) bool {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return false
		}
		u := nextUnit(s[i:])
		if u.spelling == strayByte {
			return true
		}
		s = s[i+u.size:]
	}
}

// isUnreserved reports whether an ASCII character means the same escaped and
// unescaped (RFC 3986 §2.3).
func isUnreserved(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	case r == '-', r == '.', r == '_', r == '~':
		return true
	}
	return false
}

// completesEscape reports whether the character, appended to out, would make a
// percent-escape together with a literal percent sign.
func completesEscape(out []byte, c rune) bool {
	n := len(out)
	if c >= utf8.RuneSelf || hexValue(byte(c)) < 0 || n == 0 {
		return false
	}
	return out[n-1] == '%' || n > 1 && out[n-2] == '%' && hexValue(out[n-1]) >= 0
}
