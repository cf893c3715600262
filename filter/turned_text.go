package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
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
		case r == '\u2800', unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r >= '\ufff9' && r <= '\ufffb', unicode.Is(lines, r):
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

// lines are marks that cross a character, surround it or are a line above or below it.
var lines = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0305, Hi: 0x0305, Stride: 1},
	{Lo: 0x0332, Hi: 0x0338, Stride: 1},
	{Lo: 0x033f, Hi: 0x033f, Stride: 1},
	{Lo: 0x20d0, Hi: 0x20f0, Stride: 1},
}}

// maxBoxes is the length in bytes of a text each letter of which is in a box.
const maxBoxes = 512

// maxTurned is the number of bytes of a text that are turned: at its start and its end.
const maxTurned = 16 << 10

// turnedReading returns a text from its end to its start if it then reads as a URL: styles that
// put boxes from right to left show it so. It returns "" for any other text.
func turnedReading(text string) string {
	if strings.IndexByte(text, '.') < 0 {
		return ""
	}
	if len(text) <= maxBoxes && hasSpace(text) {
		if letters := strings.Fields(text); len(letters)*2 > utf8.RuneCountInString(text)/2+2 {
			text = strings.Join(letters, "") // each is in a box
		}
	}
	if !endsAsURL(text) {
		return ""
	}
	if len(text) > maxTurned {
		text = text[:maxTurned/2] + " " + text[len(text)-maxTurned/2:]
	}
	turned := []rune(text)
	slices.Reverse(turned)
	return string(turned)
}

// endsAsURL reports whether a text has the beginning of a URL, turned.
func endsAsURL(text string) bool {
	if strings.Contains(text, "//:") {
		return true
	}
	isApart := func(at int) bool {
		return at < 0 || at >= len(text) || !ascii.IsAlphanumeric(text[at]) && text[at] != '.'
	}
	for _, piece := range [...]string{".www", "moc.", "ten.", "gro."} {
		for at := 0; ; at++ {
			i := strings.Index(text[at:], piece)
			if i < 0 {
				break
			}
			at += i
			if piece != ".www" && isApart(at-1) || piece == ".www" && isApart(at+len(piece)) && endsAsHost(text[:at]) {
				return true
			}
		}
	}
	return false
}

// endsAsHost reports whether a text ends with a name that has a dot.
func endsAsHost(text string) bool {
	return strings.IndexByte(text[strings.LastIndexAny(text, " /\n")+1:], '.') >= 0
}
