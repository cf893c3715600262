package filter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxBoxes is the length in bytes of a text each letter of which is in a box.
const maxBoxes = 512

// maxTurned is the number of bytes of a text that are turned: at its start and its end.
const maxTurned = 16 << 10

// turnedReading returns a text from its end to its start, if it then reads as a URL. Styles can
// show it so: they put boxes from right to left. It returns "" for any other text.
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
