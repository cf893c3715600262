package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
)

// mixedWords is the highest share, in percent of the words, of changes between letters of
// ASCII and others. From 10 on Rspamd says that a text with letters that are not Latin has
// mixed scripts (R_MIXED_CHARSET).
const mixedWords = 6

// mixesScripts reports whether readable links add other letters to a text in Latin script
// with many letters beyond ASCII.
func (t *text) mixesScripts() bool {
	return !ascii.Is(t.content) && slices.ContainsFunc(t.links, func(l report.Found) bool {
		return !l.Broken && l.Linked && strings.ContainsFunc(l.Display, isNotLatin)
	}) && isMixed(t.content)
}

// isMixed reports whether a text in Latin script has many letters beyond ASCII.
func isMixed(content string) bool {
	if strings.ContainsFunc(content, isNotLatin) {
		return false
	}
	changes, all := 0, 0
	for field := range strings.FieldsSeq(content) {
		all += words(field)
		before := ' '
		for _, r := range field {
			if unicode.IsLetter(before) && unicode.IsLetter(r) && (before < utf8.RuneSelf) != (r < utf8.RuneSelf) {
				changes++
			}
			before = r
		}
	}
	return 100*changes > mixedWords*all
}

// isNotLatin reports whether a character is a letter of another script than Latin.
func isNotLatin(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Common)
}

// isLikeE reports whether SpamAssassin takes a letter for an e that is not one.
func isLikeE(r rune) bool {
	return 'è' <= r && r <= 'ӫ' && strings.ContainsRune("èéêëēĕėęěȀȅȇϵеѐёєѳҼҽҾҿөӫ", r)
}

// mixesE reports whether a message whose texts change has too many letters like e beside
// the e only afterwards: SpamAssassin (MIXED_ES) wants more than 20 e, and of all together
// 1.4 to 10 times as many. There is room for the subject.
func mixesE(before string, after ...string) bool {
	const fewest, least, most = 14, 12, 110 // e; all letters in tenths of the e
	if n, all := countE(before); n > 20 && 10*all > 14*n && all < 10*n {
		return false
	}
	n, all := 0, 0
	for _, text := range after {
		es, both := countE(text)
		n, all = n+es, all+both
	}
	return n > fewest && 10*all > least*n && 10*all < most*n
}

// countE returns the number of e, and of e and the letters like it.
func countE(text string) (es, all int) {
	es = strings.Count(text, "e")
	all = es
	for {
		text = text[ascii.Printable(text):]
		r, size := utf8.DecodeRuneInString(text)
		if size == 0 {
			return es, all
		}
		if isLikeE(r) {
			all++
		}
		text = text[size:]
	}
}
