package htmlpart

import (
	"strings"
	"unicode/utf8"
)

// fieldURL returns the URL of a field of Word that is a link, given its instruction, or "".
func fieldURL(instruction string) string {
	i := strings.Index(strings.ToUpper(instruction), "HYPERLINK")
	if i < 0 {
		return ""
	}
	words := strings.FieldsFunc(instruction[i+len("HYPERLINK"):], func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'", r) })
	for _, word := range words {
		if !strings.HasPrefix(word, `\`) {
			return word
		}
	}
	return ""
}

// fieldOfStyle returns the URL of the field of Word in a style attribute, or "".
func fieldOfStyle(declarations string) string {
	_, instruction, ok := strings.Cut(strings.ToLower(declarations), "mso-field-code")
	if !ok {
		return ""
	}
	return fieldURL(withoutEscapes(declarations[len(declarations)-len(instruction):]))
}

// withoutEscapes returns CSS with its escapes replaced by their characters.
func withoutEscapes(css string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(css, `\`)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		r, rest := escaped(after)
		if r > 0 && utf8.ValidRune(r) {
			b.WriteRune(r)
		}
		css = rest
	}
}
