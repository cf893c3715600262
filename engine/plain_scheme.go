package engine

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// plainSchemes are the schemes that other programs link without two slashes (xurls).
var plainSchemes = []string{scheme.Mailto, "file", "cid", "mid", "tel", "sms", "geo", "xmpp", "matrix", "magnet", "bitcoin"}

// plainScheme returns the one of plainSchemes that text[:p] ends in, or "".
func plainScheme(text string, p int) string {
	if p < len("cid") || strings.IndexByte("delmnopstx", text[p-1]|0x20) < 0 {
		return ""
	}
	i := slices.IndexFunc(plainSchemes, func(s string) bool { return p >= len(s) && hasLetters(text, p-len(s), s) })
	if i < 0 {
		return ""
	}
	return plainSchemes[i]
}

// isPlainColon reports whether the ":" at the offset p is behind one of plainSchemes and before a
// slash.
func isPlainColon(text string, p int) bool {
	return byteAt(text, p+1) == '/' && plainScheme(text, p) != ""
}

// colonInBrackets returns the offset of the first ":" of an IPv6 address in brackets behind the
// second of two slashes, which is at the offset i, as openBefore knows it; or 0.
func colonInBrackets(text string, i int) int {
	if byteAt(text, i+1) != '[' {
		return 0
	}
	c := i + len("/[")
	for c < len(text) && ascii.IsHex(text[c]) {
		c++
	}
	if byteAt(text, c) != ':' || openBefore(text, c) < 0 {
		return 0
	}
	return c
}

// openBefore returns the offset of the "[" of an IPv6 address whose first ":" is at the offset p. It
// is behind "//" without a scheme. Otherwise openBefore returns -1.
func openBefore(text string, p int) int {
	a := p
	for a > 0 && p-a < len("ffff") && ascii.IsHex(text[a-1]) {
		a--
	}
	before, ok := strings.CutSuffix(text[:a], "//[")
	if !ok || strings.HasSuffix(before, ":") {
		return -1
	}
	return a - len("[")
}
