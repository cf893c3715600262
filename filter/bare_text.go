package filter

import (
	"strings"
	"unicode"
)

// bareText returns a text without controls and without marks that strike characters out or
// underline them, and with a blank for what shows as one.
func bareText(text string) string {
	plain := 0
	for plain < len(text) && (text[plain] >= ' ' && text[plain] < 0x7f || isSpace(text[plain])) {
		plain++
	}
	for plain < len(text) && isBare(text[plain]) {
		plain++
	}
	if plain == len(text) {
		return text
	}
	return text[:plain] + strings.Map(func(r rune) rune {
		switch {
		case r > ' ' && r < 0x7f:
			return r
		case r == '\u0085': // white space to others, but browsers do not show it
			return -1
		case r == '\u2800', unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r >= '\ufff9' && r <= '\ufffb', unicode.Is(strokes, r):
			return -1
		}
		return r
	}, text[plain:])
}

// isBare reports whether bareText keeps all characters that begin with a byte in UTF-8.
func isBare(c byte) bool {
	switch c {
	case 0x7f, 0xc2, 0xcc, 0xe1, 0xe2, 0xe3, 0xef:
		return false
	}
	return c >= ' '
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// hasSpace reports whether a text has white space.
func hasSpace(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case ' ', '\t', '\n', '\v', '\f', '\r', 0xc2, 0xe1, 0xe2, 0xe3: // all that white space begins with
			return strings.ContainsFunc(text[i:], unicode.IsSpace)
		}
	}
	return false
}

// strokes are marks that cross a character, surround it or are a line above or below it.
var strokes = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0305, Hi: 0x0305, Stride: 1},
	{Lo: 0x0332, Hi: 0x0338, Stride: 1},
	{Lo: 0x033f, Hi: 0x033f, Stride: 1},
	{Lo: 0x20d0, Hi: 0x20f0, Stride: 1},
}}
