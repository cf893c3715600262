// Package printable makes text that came from a message safe to show on a
// terminal or in a log: it cannot move the cursor, reorder the text
// beside it, or hide. It also writes cells
// of CSV, and numbers.
package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Text returns s with every code point that is not plainly visible written as
// \u{HEX}: controls, line and paragraph separators, Bidi controls and other
// format characters, unassigned and private-use code points. ZWJ and ZWNJ,
// which many scripts need to spell words, stay. Bytes that are not UTF-8 are
// written as \x{HEX}. A text without such characters comes back unchanged.
func Text(s string) string {
	for i, r := range s {
		if !visible(r) || r == utf8.RuneError {
			return escape(s, i)
		}
	}
	return s
}

// escape does the work of Text from byte offset start on.
func escape(s string, start int) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:start])
	for i := start; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x{`)
			b.WriteByte(ascii.UpperHex[s[i]>>4])
			b.WriteByte(ascii.UpperHex[s[i]&15])
			b.WriteByte('}')
		case visible(r):
			b.WriteRune(r)
		default:
			b.WriteString(`\u{`)
			for shift := 20; shift >= 0; shift -= 4 {
				if digit := r >> shift; digit != 0 || shift < 16 {
					b.WriteByte(ascii.UpperHex[digit&15])
				}
			}
			b.WriteByte('}')
		}
		i += size
	}
	return b.String()
}

func visible(r rune) bool {
	const zwnj, zwj = 0x200C, 0x200D
	switch {
	case r < 0x7F:
		return r >= ' '
	case r == zwnj, r == zwj:
		return true
	}
	return unicode.IsPrint(r)
}
