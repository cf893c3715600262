package policy

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/spread"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// maxSigned is the length in bytes up to which signs in a name are read as letters.
const maxSigned = 512

// isLongSigned reports whether a display name is longer than maxSigned.
func isLongSigned(name string) bool {
	return len(name) > maxSigned && len(VisibleText(name)) > maxSigned
}

// nameWithLetters returns a display name with its signs replaced by lettersOfSigns, or "" if the
// name is longer than maxSigned.
func nameWithLetters(name string) string {
	if isLongSigned(name) {
		return ""
	}
	return lettersOfSigns.Replace(name)
}

// nameWithI looks for the first word of a display name that becomes the name of a protected domain
// if an l is read as I. It returns the display name with that word replaced, or unchanged.
func (p *protectedSet) nameWithI(name string) string {
	letters := nameWithLetters(name)
	for _, word := range nameWordsOf(letters) {
		if len(word) < minWord || len(word) > maxDivided {
			continue
		}
		for reading := range withI(word) {
			if p.writtenAs(reading) != nil {
				return strings.Replace(letters, word, reading, 1)
			}
		}
	}
	return name
}

// partedName returns a display name with spaces between words that run together. It divides ASCII
// from scripts without spaces, and in front of capitals: "Example客服", "TeamExample", "DHLExample".
func partedName(name string) string {
	var b strings.Builder
	var before rune
	for name != "" {
		r, size := utf8.DecodeRuneInString(name)
		if name = name[size:]; before != 0 && isPartedAt(before, r, name) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// nameWithoutSymbols returns a display name with spaces in place of symbols that contain letters or
// digits, as "Example㈱" and "Example🆗".
func nameWithoutSymbols(name string) string {
	if ascii.Is(name) {
		return name
	}
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && unicode.In(r, unicode.So, unicode.No) {
			return ' '
		}
		return r
	}, name)
}

// nameWithoutGaps returns a display name of single letters as one word, or any other name itself.
func nameWithoutGaps(name string) string {
	plain := plainLetters(VisibleText(name))
	if !isSpelledOut(plain) {
		return name
	}
	return strings.Join(strings.FieldsFunc(plain, isBetweenWords), "")
}

// isPartedAt reports whether a word of a display name ends between two characters. rest is the text
// after them.
func isPartedAt(before, r rune, rest string) bool {
	if isUnspaced(before) != isUnspaced(r) {
		return before != ' ' && r != ' ' && (before < utf8.RuneSelf || r < utf8.RuneSelf)
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(next))
}

// Long words beside digits. Shorter words have digits in honest names, too: "Studio54".
var (
	digitsBehind = regexp.MustCompile(`([\p{L}\p{M}\d]{5,}[\p{L}\p{M}])(\d+)`) // digits inside a word are letters: "M1crosoft365"
	digitsWithin = regexp.MustCompile(`([\p{L}\p{M}]{6,})(\d+)`)
	digitsBefore = regexp.MustCompile(`(\d+)([\p{L}\p{M}]{6,})`)
)

// digitsApart returns the readings of a display name with spaces between a long word and the digits
// that touch it: "example 24 Support" for "example24 Support".
func digitsApart(name string) (readings []string) {
	plain := plainLetters(VisibleText(name))
	if !strings.ContainsAny(plain, "0123456789") || len(plain) > maxSigned {
		return nil
	}
	const apart = "$1 $2"
	for _, letters := range [...]string{plain, nameWithLetters(plain)} {
		within := digitsBefore.ReplaceAllString(digitsWithin.ReplaceAllString(letters, apart), apart)
		if within != letters {
			readings = append(readings, digitsBehind.ReplaceAllString(letters, apart), within)
		}
	}
	return readings
}

// nameInFont returns a display name with ASCII letters in place of characters that "fonts" use for
// them (see fontLetters), or the name itself if it has other non-ASCII letters.
func nameInFont(name string) string {
	if ascii.Is(name) {
		return name
	}
	other := false
	reading := strings.Map(func(r rune) rune {
		letter, ok := fontLetters[r]
		if !ok {
			other = other || r > unicode.MaxASCII && unicode.IsLetter(r)
			return r
		}
		return letter
	}, name)
	if other {
		return name
	}
	return reading
}

// nameWithSigns looks for a word of a display name that has non-ASCII signs in place of some
// letters of a protected name, such as circles: "G⚪⚪gle". It returns the display name with that
// word replaced, or unchanged if there is none or it is longer than maxSigned.
func (p *protectedSet) nameWithSigns(name string) string {
	if ascii.Is(name) || isLongSigned(name) {
		return name
	}
	for field := range strings.FieldsSeq(name) {
		if !strings.ContainsFunc(field, isOtherSign) {
			continue
		}
		letters := []rune(strings.ToLower(field))
		for _, d := range p.byLength[len(letters)] {
			if hasSignsIn(letters, d.word) {
				return strings.Replace(name, field, d.word, 1)
			}
		}
	}
	return name
}

// isOtherSign reports whether r is neither ASCII nor a character of a word.
func isOtherSign(r rune) bool { return r > unicode.MaxASCII && isBetweenWords(r) }

// hasSignsIn reports whether letters spell an ASCII word of the same length, with signs in place of
// at most a third of its letters.
func hasSignsIn(letters []rune, word string) bool {
	signs := 0
	for i, r := range letters {
		switch {
		case r == rune(word[i]):
		case isOtherSign(r):
			signs++
		default:
			return false
		}
	}
	return signs <= len(word)/3
}

// lettersOfSigns replaces signs by the letters that they look like, and "vv" by "w".
var lettersOfSigns = strings.NewReplacer("@", "a", "$", "s", "€", "e", "₱", "p", "¥", "y", "£", "l", "¢", "c", "|", "l", "!", "l", "¤", "o", "()", "o", "vv", "w", "VV", "W")

// maxLikeI is how many l and 1 of a word withI may read as i.
const maxLikeI = 4

// withI iterates over the readings of a word in which some of its first l and 1 are read as i,
// because they look like a capital I: "lnstagram".
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

// withoutForms returns a display name without the forms of companies in it: "Example S.A. Support".
// The form is at the end of the name, perhaps with signs after it, or a part of it is long enough
// to be no other word.
func withoutForms(name string) string {
	parts := strings.FieldsFunc(name, isBetweenParts)
	kept := make([]string, 0, len(parts))
	for i := 0; i < len(parts); {
		end, sure := endOfForm(parts, i)
		if end == i || !sure && end < len(parts) {
			end = max(end, i+1)
			kept = append(kept, parts[i:end]...)
		}
		i = end
	}
	if len(kept) == len(parts) || len(kept) == 0 {
		return name
	}
	return strings.Join(kept, " ")
}

// endOfForm returns the end of the parts, from the index i on, that are signs or belong to the form
// of a company. It also reports whether one of them is hardly another word: it has three letters,
// or two and a full stop.
func endOfForm(parts []string, i int) (end int, sure bool) {
	for ; i < len(parts); i++ {
		letters := formLetters(parts[i])
		if letters != "" && !companyForms.Has(letters) || strings.ContainsFunc(parts[i], unicode.IsDigit) {
			break
		}
		n := len([]rune(letters))
		sure = sure || n > 2 || n == 2 && strings.Contains(parts[i], ".")
	}
	return i, sure
}

// isBetweenParts reports whether r separates the parts of the form of a company.
func isBetweenParts(r rune) bool { return r == ',' || r == '&' || unicode.IsSpace(r) }

// formLetters returns the letters of a part of a company's form, written as in companyForms.
func formLetters(part string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || ucd.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, stripped(plainLetters(part)))
}

// plainLetters returns a display name with ordinary letters in place of letters in circles, squares
// and other shapes, mathematical letters and emoji. It removes trade mark signs, and lines through
// and below letters.
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
			return -1 // it changes no letter
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

// fontLetters maps characters of any script to the ASCII letters for which "font" generators use
// them.
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
