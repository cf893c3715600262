package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
)

// mixedWords is the highest number of letters with diacritics, in percent of the words. From 10
// on Rspamd says that a text with letters that are not Latin has mixed scripts (R_MIXED_CHARSET),
// since it does not see then that the language is one with diacritics.
const mixedWords = 9

// longestMixed is the number of letters of the longest words that count there.
const longestMixed = 10

// mixesScripts reports whether readable links add other letters to a text in Latin script
// with many letters beyond ASCII.
func (t *text) mixesScripts() bool {
	return !ascii.Is(t.content) && slices.ContainsFunc(t.links, func(l report.Found) bool {
		return !l.Broken && l.Linked && strings.ContainsFunc(l.Display, isNotLatin)
	}) && isMixed(t.content)
}

// isMixed reports whether a text in Latin script has many letters with diacritics. URLs are no
// words.
func isMixed(content string) bool {
	if strings.ContainsFunc(content, isNotLatin) {
		return false
	}
	marked, all := 0, 0
	for field := range strings.FieldsSeq(content) {
		if strings.Contains(field, "://") || ascii.HasPrefixFold(field, "www.") {
			continue
		}
		for word := range strings.FieldsFuncSeq(field, endsWord) {
			all++
			beyond, letters := 0, 0
			for _, r := range word {
				letters++
				if r >= utf8.RuneSelf && r != '\u2019' {
					beyond++
				}
			}
			if letters <= longestMixed {
				marked += beyond
			}
		}
	}
	return 100*marked > mixedWords*all
}

// endsWord reports whether a character is between words. An apostrophe is in the word.
func endsWord(r rune) bool { return !isInWord(r) && r != '\'' && r != '\u2019' }

// isNotLatin reports whether a character is a letter of another script than Latin.
func isNotLatin(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Common)
}

// isLikeE reports whether SpamAssassin takes a letter for an e that is not one.
func isLikeE(r rune) bool {
	return 'è' <= r && r <= 'ӫ' && strings.ContainsRune("èéêëēĕėęěȀȅȇϵеѐёєѳҼҽҾҿөӫ", r)
}

// mixesE reports whether a message has too many letters like e beside the e only after its texts
// change: SpamAssassin (MIXED_ES) wants more than 20 e, and of all together 1.4 to 10 times as
// many. It counts the subject, and up to 320 of all.
func mixesE(r *reading, before, after string) bool {
	subject := strings.Join(r.decoded("Subject"), " ")
	const fewest, least, most, counted = 18, 136, 1100, 320 // e; all letters in hundredths of the e
	if n, all := countE(subject + before); n > 20 && 10*all > 14*n && all < 10*n {
		return false
	}
	n, all := countE(subject + after)
	return n > fewest && 100*all > least*n && 100*all < most*n && 100*counted > least*n
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
