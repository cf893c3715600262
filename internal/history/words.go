package history

import (
	"slices"
	"strings"
	"unicode"
)

// unspaced are scripts that write words without spaces between them. Each of their
// letters counts as a word.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// wordsOf returns the words of a text in lower case: letters, marks and digits. Everything
// else separates words.
func wordsOf(text string) []string {
	var words []string
	start, lower := -1, strings.ToLower(text)
	end := func(at int) {
		if start >= 0 {
			words = append(words, lower[start:at])
		}
		start = -1
	}
	for i, r := range lower {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r):
			end(i)
		case unicode.In(r, unspaced...):
			end(i)
			words = append(words, string(r))
		case start < 0:
			start = i
		}
	}
	end(len(lower))
	return words
}

// Bounds of a search, so that it stays cheap.
const (
	maxPhrases = 6
	maxWords   = 20 // of a phrase
)

// A phrase is words that follow each other.
type phrase struct {
	words  []string
	begins bool // the last word may be the beginning of one
}

// phrases are those of a search, between spaces. A message that has all of them matches.
// An asterisk behind one stands for the rest of its last word.
type phrases []phrase

func newPhrases(text string) phrases {
	var all phrases
	for field := range strings.FieldsSeq(text) {
		if words := wordsOf(field); len(words) > 0 && len(all) < maxPhrases {
			all = append(all, phrase{words[:min(len(words), maxWords)], strings.HasSuffix(field, "*")})
		}
	}
	return all
}

// in reports whether words have all phrases.
func (p phrases) in(words []string) bool {
	for _, phrase := range p {
		if !phrase.in(words) {
			return false
		}
	}
	return true
}

func (p phrase) in(words []string) bool {
	last := len(p.words) - 1
	for at := range max(0, len(words)-last) {
		window := words[at : at+len(p.words)]
		if slices.Equal(window[:last], p.words[:last]) && (window[last] == p.words[last] || p.begins && strings.HasPrefix(window[last], p.words[last])) {
			return true
		}
	}
	return false
}
