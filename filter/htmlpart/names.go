package htmlpart

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// tagName returns the name of a tag, as written, at the start of s.
func tagName(s string) string {
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\r', '\n', '\f', '/', '>':
			return s[:i]
		}
	}
	return s
}

// isAMP reports whether an element of AMP may open URLs. Its pictures open none. name is as
// written.
func isAMP(name string) bool {
	const prefix = "amp-"
	return ascii.HasPrefixFold(name, prefix) && !strings.EqualFold(name[len(prefix):], "img") && !strings.EqualFold(name[len(prefix):], "anim")
}

// localName returns the name of an element without a prefix, in lower case.
func localName(name string) string {
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}

// localNameOf is localName for an element that HTML may know.
func localNameOf(tag atom.Atom, name string) string {
	if tag != 0 {
		return tag.String()
	}
	return localName(name)
}

// tail returns the characters in the last n bytes of s.
func tail(s []byte, n int) []byte {
	start := max(0, len(s)-n)
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	return s[start:]
}

// blanks is the white space of HTML and CSS.
const blanks = " \t\r\n\f"

// trim removes the white space of HTML and CSS around s.
func trim(s string) string {
	if s == "" || s[0] > ' ' && s[len(s)-1] > ' ' {
		return s
	}
	return strings.Trim(s, blanks)
}

// referenceLength returns the length of a possible character reference at the start of
// s.
func referenceLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case ascii.IsAlphanumeric(c), c == '#' && i == 1:
		case c == ';':
			return i + 1
		default:
			return i
		}
	}
	return len(s)
}

// character returns the character of a character reference.
func character(reference string) string {
	if reference == "&nbsp;" { // by far the most common
		return "\u00a0"
	}
	return html.UnescapeString(reference)
}
