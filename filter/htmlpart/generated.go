package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

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
	return readableContent(d.written)
}

// readableContent returns the strings in a value. It returns "" for other signs and icons than
// those of URLs.
func readableContent(value string) string {
	text := strings.TrimSpace(contentOf(value))
	if !hasLetters(text) && !isSign(text) {
		return ""
	}
	return text
}

func hasLetters(text string) bool {
	return strings.ContainsAny(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz")
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

// contentOf returns the strings in a value, joined, and those behind "/", which are read aloud in
// their place, apart. The name of an attribute whose value is shown is between two of attributeMark.
func contentOf(value string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(value, `"'(/`)
		if i < 0 {
			return b.String()
		}
		rest := value[i+1:]
		switch before := value[:i]; {
		case value[i] == '/':
			b.WriteByte(' ')
		case value[i] != '(': // the end of a sheet also ends a string
			text, after, _ := strings.Cut(rest, value[i:i+1])
			b.WriteString(text)
			rest = after
		case ascii.HasSuffixFold(before, "url"):
			_, rest, _ = strings.Cut(rest, ")")
		case ascii.HasSuffixFold(before, "attr"):
			rest = trimLeft(rest)
			n := strings.IndexAny(rest+")", " \t\r\n\f,)") // a type or a text in its place may follow
			name := strings.ToLower(rest[:n])
			if name = name[strings.LastIndexByte(name, '|')+1:]; name != "href" { // the target itself
				b.WriteString(attributeMark + name + attributeMark)
			}
			rest = rest[n:]
		}
		value = rest
	}
}

// quotesOf returns the first two strings in a value.
func quotesOf(value string) (before, after string) {
	for _, quote := range [...]*string{&before, &after} {
		i := strings.IndexAny(value, `"'`)
		if i < 0 {
			break
		}
		*quote, value, _ = strings.Cut(value[i+1:], value[i:i+1])
	}
	return before, after
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
