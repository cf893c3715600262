// Package spread reads words whose letters have spaces or signs between them: "A p p l e".
package spread

import (
	"strings"
	"unicode/utf8"
)

// least is the number of letters from which on they are a word, not initials.
const least = 4

// IsLetters reports whether a text consists of letters, not initials, with characters between them
// for which isBetween returns true.
func IsLetters(text string, isBetween func(rune) bool) bool {
	letters := 0
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		if !isLetter(word) {
			return false
		}
		letters++
	}
	return letters >= least
}

// Joined returns a list of words in which letters beside each other, not initials, are a word. It
// changes the list.
func Joined(words []string) []string {
	joined, letters := words[:0], 0 // letters are how many words at the end are one
	join := func() {
		if i := len(joined) - letters; letters >= least {
			joined = append(joined[:i], strings.Join(joined[i:], ""))
		}
		letters = 0
	}
	for _, word := range words {
		if !isLetter(word) {
			join()
			joined = append(joined, word)
			continue
		}
		joined = append(joined, word)
		letters++
	}
	join()
	return joined
}

// isLetter reports whether a word is one character.
func isLetter(word string) bool { return utf8.RuneCountInString(word) == 1 }
