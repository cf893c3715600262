package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// notInHosts ends a host in a text beside slashes.
const notInHosts = "/\\?#@:;,=&|!$%'*+^`{}~[]()<>\" "

// endsName reports whether r is part neither of a host nor of an address.
func endsName(r rune) bool {
	return r != '@' && (r < utf8.RuneSelf && strings.IndexByte(notInHosts, byte(r)) >= 0 || isSign(r))
}

// upToBreak returns the start of a text before the first character that ends a name.
func upToBreak(text string) string {
	if i := strings.IndexFunc(text, endsName); i >= 0 {
		return text[:i]
	}
	return text
}

// isSign reports whether r is beyond ASCII and not a letter, a mark or a decimal digit.
func isSign(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}
