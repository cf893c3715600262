package policy

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxSigned is the length in bytes of a name whose signs are read as letters.
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

// nameWithI returns a display name with the first word replaced that is the name of a protected
// domain if l is read as I, and the name itself without such a word.
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

// partedName returns a display name with spaces between words that run together: those in ASCII
// and those of scripts without spaces, and those that begin with a capital: "Example客服",
// "TeamExample", "DHLExample".
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

// nameWithoutSymbols returns a display name with spaces for symbols that have letters or digits in them,
// as "Example㈱" and "Example🆗".
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

// isPartedAt reports whether a word of a display name ends between two characters. rest is
// behind them.
func isPartedAt(before, r rune, rest string) bool {
	if isUnspaced(before) != isUnspaced(r) {
		return before != ' ' && r != ' ' && (before < utf8.RuneSelf || r < utf8.RuneSelf)
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(next))
}

// Words of a display name beside digits that are as long as a name that counts alone. Shorter words
// have digits in honest names: "Studio54".
var (
	digitsBehind = regexp.MustCompile(`([\p{L}\p{M}\d]{5,}[\p{L}\p{M}])(\d+)`) // "M1crosoft365", digits within it are letters
	digitsWithin = regexp.MustCompile(`([\p{L}\p{M}]{6,})(\d+)`)
	digitsBefore = regexp.MustCompile(`(\d+)([\p{L}\p{M}]{6,})`)
)

// digitsApart returns the readings of a display name in which digits are apart from a long word
// beside them: "example24 Support", "Example365Security".
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

// nameInFont returns a display name with ASCII letters for those of a font, or the name itself if
// it has other letters beyond ASCII.
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

// nameWithSigns returns a display name in which the name of a protected domain is in place of a word
// that has signs beyond ASCII for some of its letters, such as circles: "G⚪⚪gle". Without such a
// word, and for a name longer than maxSigned, it returns the name itself.
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

// isOtherSign reports whether r is beyond ASCII and not a character of a word.
func isOtherSign(r rune) bool { return r > unicode.MaxASCII && isBetweenWords(r) }

// hasSignsIn reports whether letters are those of a word of the same length in ASCII, of which at
// most a third are signs.
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
