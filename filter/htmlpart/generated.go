package htmlpart

import (
	"strings"
)

const (
	// maxGenerated is the number of generated texts that are kept.
	maxGenerated = 4
	// maxGeneratedText is their length in bytes.
	maxGeneratedText = 256
)

// generatedText returns the text that a declaration puts before or after an element
// (CSS Content §2), or "" where that cannot be in a URL, as signs and icons cannot.
func generatedText(declaration string) string {
	property, value, _ := strings.Cut(declaration, ":")
	if !strings.EqualFold(trim(property), "content") {
		return ""
	}
	text := stringsOf(value)
	if !strings.ContainsAny(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz") || len(text) > maxGeneratedText {
		return ""
	}
	return text
}

// stringsOf returns the strings in a value, joined.
func stringsOf(value string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(value, `"'`)
		if i < 0 {
			return b.String()
		}
		text, rest, ok := strings.Cut(value[i+1:], value[i:i+1])
		if !ok {
			return b.String()
		}
		b.WriteString(text)
		value = rest
	}
}
