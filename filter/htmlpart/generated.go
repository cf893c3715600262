package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

const (
	// maxGenerated is the number of generated texts that are kept.
	maxGenerated = 4
	// maxGeneratedText is their length in bytes.
	maxGeneratedText = 256
)

// generatedText returns the text that a declaration puts before or after an element
// (CSS Content §2). It returns "" for signs and icons, which cannot be in a URL.
func generatedText(declaration string) string {
	property, value, _ := strings.Cut(declaration, ":")
	if !strings.EqualFold(trim(property), "content") {
		return ""
	}
	text := contentOf(value)
	if !strings.ContainsAny(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz") || len(text) > maxGeneratedText {
		return ""
	}
	return text
}

// borrowedText returns the text of a declaration that others may show: that of a custom
// property, of the marker or the quotes of an element, or of a counter. It returns "" where
// that cannot be in a URL.
func borrowedText(declaration string) string {
	property, value, ok := strings.Cut(declaration, ":")
	if !ok || !strings.ContainsAny(value, `"'`) || !strings.Contains(value, ".") {
		return ""
	}
	switch property = strings.ToLower(trim(property)); property {
	case "list-style", "list-style-type", "quotes", "symbols", "additive-symbols", "prefix", "suffix", "pad", "negative":
	default:
		if !strings.HasPrefix(property, "--") {
			return ""
		}
	}
	if strings.Contains(strings.ToLower(value), "url(") {
		return ""
	}
	return generatedText("content:" + value)
}

// contentOf returns the strings in a value, joined. The name of an attribute whose value
// is shown is between two of attributeMark.
func contentOf(value string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(value, `"'(`)
		if i < 0 {
			return b.String()
		}
		end, mark := value[i:i+1], ""
		if value[i] == '(' {
			if !ascii.HasPrefixFold(value[max(0, i-len("attr")):], "attr(") {
				value = value[i+1:]
				continue
			}
			end, mark = ")", attributeMark
		}
		text, rest, _ := strings.Cut(value[i+1:], end) // the end of a sheet also ends a string
		if mark != "" {
			name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
			if text = strings.ToLower(strings.TrimRight(name, ",")); text == "href" { // the target itself
				text, mark = "", ""
			}
		}
		b.WriteString(mark + text + mark)
		value = rest
	}
}

const attributeMark = "\x00"

// shownAttributes returns the names of the attributes that a generated text shows.
func shownAttributes(text string) (names []string) {
	for i, part := range strings.Split(text, attributeMark) {
		if i%2 == 1 {
			names = append(names, part)
		}
	}
	return names
}

// withAttributes returns a generated text with the values of attributes.
func withAttributes(text string, values map[string]string) string {
	if !strings.Contains(text, attributeMark) {
		return text
	}
	parts := strings.Split(text, attributeMark)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = values[parts[i]]
	}
	return strings.Join(parts, "")
}
