package htmlpart

import "strings"

const (
	// maxGenerated is the number of generated texts of a style sheet that are kept, and
	// maxGeneratedAt the number of those at a reference.
	maxGenerated   = 64
	maxGeneratedAt = 8
	// maxSigns is the number of those that are syntax of URLs.
	maxSigns = 8
	// maxGeneratedText is their length in bytes.
	maxGeneratedText = 256
)

// generatedText returns the text that a declaration puts before or after an element
// (CSS Content §2). It returns "" for other signs and icons than those of URLs.
func generatedText(d *cssDeclaration) string {
	if d.property != "content" {
		return ""
	}
	return readableContent(withCustomMarks(d.written)) + textOfPictures(d.written)
}

// readableContent returns the strings in a value. It returns "" for other signs and icons than
// those of URLs.
func readableContent(value string) string {
	text := contentOf(value)
	if !strings.ContainsAny(text, counterMark+numberMark) { // a blank parts a counter from what it counts
		text = strings.TrimSpace(text)
	}
	if !hasLetters(text) && !isSign(text) && !strings.ContainsAny(text, openQuoteMark+closeQuoteMark+counterMark+numberMark) {
		return ""
	}
	return text
}

// isSign reports whether a text is syntax of a URL, which counts at its place: "." and "://", also
// as readers take it.
func isSign(text string) bool {
	const longest = len("://")
	return text != "" && len(text) <= longest && strings.Trim(text, ".:/\u2024\uff0e\u3002\uff61\uff1a\uff0f") == ""
}

// isBorrowed reports whether a property, in lower case, has a text that is shown by another
// property, as a marker, or where a text is cut off.
func isBorrowed(property string) bool {
	switch property {
	case "hyphenate-character", "-webkit-hyphenate-character", "result":
		return true // shown at a soft hyphen, or what a function returns
	case "list-style", "list-style-type", "quotes", "text-overflow", "symbols", "additive-symbols", "prefix", "suffix", "pad", "negative":
		return true
	}
	return property == "initial-value" // of a custom property
}

// borrowedText returns the text of a declaration that others may show: that of a custom
// property, of the marker or the quotes of an element, or of a counter. It returns "" where
// that cannot be in a URL.
func borrowedText(d *cssDeclaration) string {
	isShown := isBorrowed(d.property) || strings.HasPrefix(d.property, "--") && strings.IndexByte(d.written, '.') >= 0
	if !isShown || strings.IndexByte(d.written, '"') < 0 && strings.IndexByte(d.written, '\'') < 0 {
		return ""
	}
	return readableContent(d.written)
}

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
