package engine

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// plainSchemes are the schemes that other programs link without slashes (xurls).
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

// isPlainColon reports whether the ":" at the offset p is behind one of plainSchemes or in an
// IPv6 address, and not at the end of a word.
func isPlainColon(text string, p int) bool {
	return byteAt(text, p+1) > ' ' && (plainScheme(text, p) != "" || openBefore(text, p) >= 0)
}

// openBefore returns the offset of the "[" behind "//" with which an IPv6 address begins that has
// its first ":" at the offset p, and before which is no scheme; or -1.
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
