package script

import (
	"strconv"
	"strings"
)

// Unescape returns a script, or a string of it, without the escapes of JavaScript and
// JSON (ECMA-262 §12.9.4).
func Unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; i >= 0 && i+1 < len(s); i = strings.IndexByte(s, '\\') {
		b.WriteString(s[:i])
		s = s[i+1+escape(&b, s[i+1:]):]
	}
	return b.String() + s
}

// escape writes what an escape stands for and returns its length. s begins after the backslash and
// is not empty.
func escape(b *strings.Builder, s string) int {
	digits, end := "", 0
	switch {
	case strings.HasPrefix(s, "u{"):
		inside, _, _ := strings.Cut(s[2:min(len(s), len("u{10ffff}"))], "}")
		digits, end = inside, len("u{}")+len(inside)
	case s[0] == 'u' && len(s) >= len("u0000"):
		digits, end = s[1:5], len("u0000")
	case s[0] == 'x' && len(s) >= len("x00"):
		digits, end = s[1:3], len("x00")
	case isOctal(s[0]):
		return octal(b, s)
	}
	if n, err := strconv.ParseUint(digits, 16, 32); err == nil {
		b.WriteRune(rune(n))
		return min(end, len(s))
	}
	switch s[0] {
	case '\n': // the string goes on in the next line
	case '\r':
		if strings.HasPrefix(s, "\r\n") {
			return len("\r\n")
		}
	case 'n', 'r', 't':
		b.WriteByte(map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}[s[0]])
	default:
		b.WriteByte(s[0])
	}
	return 1
}

// octal writes the character of an octal escape, of at most three digits, and returns its
// length.
func octal(b *strings.Builder, s string) int {
	n, value := 0, 0
	for n < min(len(s), 3) && isOctal(s[n]) && value*8+int(s[n]-'0') < 256 {
		value = value*8 + int(s[n]-'0')
		n++
	}
	b.WriteRune(rune(value))
	return n
}

func isOctal(c byte) bool { return '0' <= c && c <= '7' }
