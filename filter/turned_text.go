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

// turnedSigns make letters that a style shows turned upside down those that readers see, mirroredSigns letters
// that it mirrors.
var (
	turnedSigns = signsOf("bqqbdppdnuunmwwm" +
		"\u0250a\u0251a\u0254c\u01dde\u025fj\u0253g\u0183g\u0265h\u1d09i\u0131i\u027ej\u029ek\ua781l\u05dfl\u026fm\u0279r\u0287t\u028cv\u028dw\u028ey\u02d9.")
	mirroredSigns = signsOf("bddbpqqp" + "\u0252a\u0254c\u0258e\u01a8s\u029ek\u03b3y\u0264y\u044fr\u0438n")
)

// signsOf returns a map from the first character of each pair to the second.
func signsOf(pairs string) map[rune]rune {
	signs, all := make(map[rune]rune), []rune(pairs)
	for i := 0; i < len(all); i += 2 {
		signs[all[i]] = all[i+1]
	}
	return signs
}

// upsideDown returns the texts that readers see where a style turns or mirrors a text with letters made for
// that, if they then read as URLs.
func upsideDown(text string) (readings []string) {
	if ascii.Is(text) || len(text) > maxTurned || strings.ContainsFunc(text, isNeverTurned) {
		return nil
	}
	turned := []rune(strings.ReplaceAll(text, " \u0307", "\u02d9")) // as compatible characters
	slices.Reverse(turned)
	for _, signs := range [...]map[rune]rune{turnedSigns, mirroredSigns} {
		seen, rare := slices.Clone(turned), false
		for i, r := range seen {
			if sign, ok := signs[r]; ok {
				seen[i], rare = sign, rare || r >= utf8.RuneSelf
			}
		}
		if reading := string(seen); rare && ascii.Is(reading) && beginsAsURL(reading) {
			readings = append(readings, reading)
		}
	}
	return readings
}

// isNeverTurned reports whether r stays a letter beyond ASCII in every reading of upsideDown.
func isNeverTurned(r rune) bool {
	return r >= utf8.RuneSelf && r != '\u0307' && turnedSigns[r] == 0 && mirroredSigns[r] == 0
}

// beginsAsURL reports whether a text has the beginning of a URL, or a host of a frequent domain.
func beginsAsURL(text string) bool {
	for _, piece := range [...]string{"://", "www.", ".com", ".net", ".org"} {
		if strings.Contains(text, piece) {
			return true
		}
	}
	return false
}
