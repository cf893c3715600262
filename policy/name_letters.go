package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/spread"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// plainLetters returns a display name with ordinary letters for those in circles, squares
// and other shapes, of mathematics and emoji, without signs of trade marks and without lines
// through and below letters.
func plainLetters(name string) string {
	if ascii.Is(name) {
		return name
	}
	name = strings.Map(func(r rune) rune {
		if r == '™' || r == '℠' {
			return ' '
		}
		return r
	}, name)
	return strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1 // no letter has it
		}
		return ucd.LetterOfSign(r)
	}, norm.NFKC.String(name))
}

// stripped returns s without the accents of its letters.
func stripped(s string) string {
	if ascii.Is(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// isAccent reports whether r is a mark above, below, across or around a letter of any script.
func isAccent(r rune) bool {
	return '\u0300' <= r && r <= '\u036f' || '\u20d0' <= r && r <= '\u20f0' || r == '\u0488' || r == '\u0489'
}

// isBetweenWords reports whether r is not a character of a word.
func isBetweenWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !ucd.IsMark(r)
}

// isUnspaced reports whether r is of a script without spaces between words.
func isUnspaced(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー')
}

// isDisguisedName reports whether a display name that reads as a word in ASCII does not have the
// letters of the word: "App|e", "Z00m". Accents do not count.
func isDisguisedName(name, word string) bool {
	return ascii.Is(word) && !strings.Contains(asciiLetters(stripped(name)), asciiLetters(word))
}

// asciiLetters returns the ASCII letters of s in lower case.
func asciiLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if r |= 0x20; 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, s)
}

// isSpelledOut reports whether a display name consists of single letters: "A p p l e".
func isSpelledOut(name string) bool { return spread.IsLetters(name, isBetweenWords) }

// fontLetters has the ASCII letters that characters show in texts which programs write in
// "fonts", with characters of any script.
var fontLetters = func() map[rune]rune {
	letters := make(map[rune]rune)
	for letter, signs := range readList("font_letters").All() {
		for _, r := range strings.ReplaceAll(signs, " ", "") {
			if _, ok := letters[r]; !ok {
				letters[r] = rune(letter[0])
			}
		}
	}
	return letters
}()
