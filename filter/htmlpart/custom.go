package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// customTextMark is before and after the name of a custom property in a generated text, in place of the
// text of that, and fallbackMark before the text that is shown where the element has no such property.
const (
	customTextMark = "\x04"
	fallbackMark   = "\x05"
)

const (
	// maxCustomDepth is how deep custom properties may be in each other.
	maxCustomDepth = 2
	// maxCustomText is the length in bytes of a text with those of them.
	maxCustomText = 512
)

// withCustomMarks returns a value with a string in place of each var(), which has marks.
func withCustomMarks(value string) string {
	const function = "var("
	var b strings.Builder
	for {
		i := strings.IndexByte(value, '(')
		if i < 0 {
			b.WriteString(value)
			return b.String()
		}
		before, rest := value[:i+1], value[i+1:]
		if !ascii.HasSuffixFold(before, function) {
			inside := 0
			if isCounter(before[:i]) { // its style may be a custom property
				inside = endOfBrackets(rest)
			}
			b.WriteString(before + rest[:inside])
			value = rest[inside:]
			continue
		}
		arguments := rest[:endOfBrackets(rest)]
		value = strings.TrimPrefix(rest[len(arguments):], ")")
		name, fallback, _ := strings.Cut(arguments, ",")
		text := strings.ReplaceAll(contentOf(fallback), `"`, "")
		b.WriteString(before[:len(before)-len(function)] + `"` + customTextMark + strings.ToLower(trim(name)) + fallbackMark + text + customTextMark + `"`)
	}
}

// endOfBrackets returns the offset of the bracket that ends what is behind another one.
func endOfBrackets(css string) int {
	depth := 0
	for i := range len(css) {
		switch css[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(css)
}

// withCustoms returns a generated text with those of custom properties.
func withCustoms(text string, values map[string]string, depth int) string {
	if !strings.Contains(text, customTextMark) {
		return text
	}
	var b strings.Builder
	for i, part := range strings.Split(text, customTextMark) {
		if i%2 == 1 {
			name, fallback, _ := strings.Cut(part, fallbackMark)
			part = fallback
			if value, ok := values[name]; ok && depth < maxCustomDepth {
				part = withCustoms(value, values, depth+1)
			}
		}
		b.WriteString(part[:min(len(part), maxCustomText-b.Len())])
	}
	return b.String()
}
