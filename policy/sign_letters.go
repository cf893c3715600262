package policy

import "strings"

// lettersOfSigns replaces signs by the letters that they look like, and "vv" by "w".
var lettersOfSigns = strings.NewReplacer("@", "a", "$", "s", "€", "e", "₱", "p", "¥", "y", "£", "l", "¢", "c", "|", "l", "!", "l", "¤", "o", "()", "o", "vv", "w", "VV", "W")

// maxLikeI bounds the letters l and digits 1 of a word that withI reads as i.
const maxLikeI = 4

// withI iterates over the readings of a word in which some of its first l and 1 are an i, whose
// capital letter looks like them: "lnstagram".
func withI(word string) func(func(string) bool) {
	return func(yield func(string) bool) {
		var places []int
		for i := range len(word) {
			if (word[i] == 'l' || word[i] == '1') && len(places) < maxLikeI {
				places = append(places, i)
			}
		}
		letters := []byte(word)
		for set := 1; set < 1<<len(places); set++ {
			for n, at := range places {
				if letters[at] = word[at]; set>>n&1 != 0 {
					letters[at] = 'i'
				}
			}
			if !yield(string(letters)) {
				return
			}
		}
	}
}
