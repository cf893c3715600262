package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

// fewestWords returns how many words beside the links two parts need, where so many links are
// shown in another form, so that filters take the parts for equal. Rspamd compares words
// (R_PARTS_DIFFER), SpamAssassin looks for one word of both (MPART_ALT_DIFF).
func fewestWords(changed int) int { return max(3, 2*changed) }

// hasWords reports whether a text has at least n words that touch no link.
func hasWords(content string, links []alternative.Link, n int) bool {
	pos := 0
	for field := range strings.FieldsSeq(content) {
		start := pos + strings.Index(content[pos:], field)
		pos = start + len(field)
		for len(links) > 0 && links[0].End <= start {
			links = links[1:]
		}
		if len(links) > 0 && links[0].Start < pos {
			continue
		}
		if n -= words(field); n <= 0 {
			return true
		}
	}
	return false
}

// lettersPerWord is the number of letters that make a word in scripts without spaces, with
// room to spare.
const lettersPerWord = 4

// words returns the number of words with a letter in text without white space.
func words(field string) int {
	all, letters, inside := 0, 0, false
	for _, r := range field {
		switch {
		case isUnspaced(r):
			letters++
			inside = false
		case !isInWord(r):
			inside = false
		case !inside && !unicode.IsDigit(r):
			all++
			inside = true
		}
	}
	return all + (letters+lettersPerWord-1)/lettersPerWord
}

// isUnspaced reports whether a character is of a script without spaces between words.
func isUnspaced(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isInWord reports whether a character may be in a word.
func isInWord(r rune) bool {
	return ascii.IsAlphanumeric(r) || r >= utf8.RuneSelf && unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit)
}
