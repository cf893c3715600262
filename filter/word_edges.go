package filter

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A place in HTML is within a word where a reader sees a letter, digit or mark on both sides of it.
// Tags of inline elements, comments and characters that are not seen may be between them: a URL in
// an element a may end with the first letter of a word that goes on behind the element.

// Beside a place, a character is looked for within so many bytes, tags and characters that are not seen.
const (
	maxSeenBytes = 4 << 10 // with a long href
	maxUnseen    = 64
)

// cutsWord reports whether what is shown begins or ends within a word, in place of
// source[start:end].
func cutsWord(source string, start, end int, shown string) bool {
	first, _ := utf8.DecodeRuneInString(shown)
	last, _ := utf8.DecodeLastRuneInString(shown)
	hasScheme := strings.Contains(shown, "://") // it begins the URL for readers
	return textview.IsInWord(last) && textview.IsInWord(seenBehind(source, end)) || !hasScheme && textview.IsInWord(first) && textview.IsInWord(seenBefore(source, start))
}

// seenBefore returns the character that a reader sees directly before an offset in HTML; 0 for none.
func seenBefore(source string, at int) rune {
	from := max(0, at-maxSeenBytes)
	for n := 0; at > from && n < maxUnseen; n++ {
		before := source[from:at]
		i := len(before) - 1
		switch {
		case strings.HasSuffix(before, "-->"):
			if i = strings.LastIndex(before, "<!--"); i < 0 {
				return 0
			}
		case before[i] == '>':
			if i = strings.LastIndexByte(before, '<'); i < 0 || !isWithinWord(before[i:]) {
				return 0
			}
		default:
			r, size := utf8.DecodeLastRuneInString(before)
			if r == ';' {
				k := max(0, strings.LastIndexByte(before, '&'))
				if s := html.UnescapeString(before[k:]); !strings.HasSuffix(s, ";") {
					r, _ = utf8.DecodeLastRuneInString(s)
					size = len(before) - k
				}
			}
			if !ucd.IsDefaultIgnorable(r) {
				return r
			}
			i = len(before) - size
		}
		at = from + i
	}
	return 0
}

// seenBehind returns the character that a reader sees directly behind an offset in HTML; 0 for none.
func seenBehind(source string, at int) rune {
	r, _ := nextSeen(source, at)
	return r
}

// behindWord returns the offset in HTML behind the rest of a word that goes on at an offset: before the
// next link, and at the offset where no word goes on.
func behindWord(source string, at int) int {
	for {
		r, end := nextSeen(source, at)
		if !textview.IsInWord(r) || strings.Contains(strings.ToLower(source[at:end]), "href") {
			return at
		}
		at = end
	}
}

// nextSeen is seenBehind with the offset behind the character.
func nextSeen(source string, at int) (r rune, end int) {
	to := min(len(source), at+maxSeenBytes)
	for n := 0; at < to && n < maxUnseen; n++ {
		rest, size := source[at:to], 0
		switch {
		case strings.HasPrefix(rest, "<!--"):
			if size = strings.Index(rest, "-->") + len("-->"); size < len("<!---->") {
				return 0, at
			}
		case rest[0] == '<':
			if size = strings.IndexByte(rest, '>') + 1; size == 0 || !isWithinWord(rest) {
				return 0, at
			}
		default:
			r, size = utf8.DecodeRuneInString(rest)
			if r == '&' {
				k := strings.IndexByte(rest, ';') + 1
				if s := html.UnescapeString(rest[:k]); k > 0 && s[0] != '&' {
					r, _ = utf8.DecodeRuneInString(s)
					size = k
				}
			}
			if !ucd.IsDefaultIgnorable(r) {
				return r, at + size
			}
		}
		at += size
	}
	return 0, at
}

// isWithinWord reports whether the tag that begins source parts no word for readers.
func isWithinWord(source string) bool {
	name := strings.TrimPrefix(source[1:], "/")
	end := strings.IndexFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !ascii.IsAlphanumeric(byte(r)) && r != ':' && r != '-'
	})
	if end < 0 {
		return false
	}
	name = strings.ToLower(name[:end])
	return name == "" || withinWord[name] || strings.ContainsAny(name, ":-")
}

// withinWord has the elements that HTML shows in a line, without a gap.
var withinWord = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq("a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr s samp small span strike strong sub sup time tt u var wbr") {
		set[name] = true
	}
	return set
}()
