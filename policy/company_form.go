package policy

import (
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// withoutForms returns a display name without the forms of companies in it: "Example S.A. Support". A
// form is parts of one at the end of the name, with signs behind it, or parts of which one is hardly
// another word.
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

// endOfForm returns the end of the parts from the index i on that are of the form of a company, or
// signs. sure reports whether one is hardly another word: it has three letters, or two and a full stop.
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

// isBetweenParts reports whether r is between the parts of the form of a company.
func isBetweenParts(r rune) bool { return r == ',' || r == '&' || unicode.IsSpace(r) }

// formLetters returns the letters of a part of the form of a company as in companyForms.
func formLetters(part string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || ucd.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, stripped(plainLetters(part)))
}
