// Package spread reads words whose letters have spaces or signs between them: "A p p l e".
package spread

import (
	"strings"
	"unicode/utf8"
)

// least is the smallest number of letters that are a word and not initials.
const least = 4

// IsLetters reports whether a text consists of single letters, at least least of them, with
// characters between them for which isBetween returns true.
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

// Joined joins each run of single letters in a list to a word, unless there are so few that they
// are initials. It changes the list.
func Joined(words []string) []string {
	joined, letters := words[:0], 0 // letters is the number of single letters at the end of joined
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
