package page

import (
	"strings"
	"unicode"
)

// maxBlanks is the number of blanks in a row that are kept of a text.
const maxBlanks = 16

// squeezed returns a text with few of many blanks in a row, and none around it.
func squeezed(s string) string {
	n := 0
	return strings.TrimFunc(strings.Map(func(r rune) rune {
		if !isBlank(r) {
			n = 0
		} else if n++; n > maxBlanks {
			return -1
		}
		return r
	}, s), isBlank)
}

// isBlank reports whether a character shows nothing. Those that turn the text do.
func isBlank(r rune) bool {
	if r < 0xa0 {
		return r <= ' '
	}
	isIgnorable := unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	return isIgnorable && !unicode.Is(unicode.Bidi_Control, r) || unicode.IsSpace(r) || r == '\u2800'
}
