package policy

import (
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// withoutForm returns a display name without the form of a company at its end: "Example S.A.".
func withoutForm(name string) string {
	for {
		rest := strings.TrimRightFunc(name, func(r rune) bool { return isBetweenParts(r) || r == '.' })
		i := strings.LastIndexFunc(rest, isBetweenParts)
		if i < 0 || !companyForms.Has(formLetters(rest[i:])) {
			return name
		}
		name = rest[:i]
	}
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
