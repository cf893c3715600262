package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// notInHosts has the ASCII characters at which other programs end a host.
const notInHosts = "/\\?#@:;,=&|!$%'*+^`{}~[]()<>\" "

// isOfName reports whether other programs take r for a part of a host or address.
func isOfName(r rune) bool {
	return r == '@' || (r >= utf8.RuneSelf || strings.IndexByte(notInHosts, byte(r)) < 0) && !isSign(r)
}

// leadingName returns the characters of a host or address that a text begins with.
func leadingName(text string) string {
	return text[:len(text)-len(strings.TrimLeftFunc(text, isOfName))]
}

// trailingName returns those that a text ends with.
func trailingName(text string) string {
	return text[len(strings.TrimRightFunc(text, isOfName)):]
}

// isSign reports whether r is beyond ASCII and not a letter, a mark or a decimal digit.
func isSign(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isBetweenNames reports whether other programs may end a name at r and begin another behind it: a
// sign, or a combining mark that is not of one script.
func isBetweenNames(r rune) bool {
	return isSign(r) || r >= utf8.RuneSelf && unicode.Is(unicode.M, r) && unicode.Is(unicode.Inherited, r)
}

// asciiEnd returns the characters of ASCII that a name ends with.
func asciiEnd(name string) string {
	return name[len(strings.TrimRightFunc(name, func(r rune) bool { return r < utf8.RuneSelf })):]
}
