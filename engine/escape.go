package engine

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// appendMinimal appends a part of a URL, minimally escaped by UTS #58 §4.1: it
// percent-escapes the characters that would end the link. The part has no initiator,
// and the interior escaping that keeps data apart from syntax, so it has no
// terminator. last says that no other part follows.
func appendMinimal(dst []byte, s string, p part, last bool) []byte {
	var openStack brackets
	copied := 0 // how much of s is in dst
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if p.clears(r) {
			openStack.clear()
		}
		term := ucd.LinkTermOf(r)
		switch term {
		case ucd.Open:
			term = ucd.Hard
			if openStack.push(r) {
				term = ucd.Include
			}
		case ucd.Close:
			term = ucd.Hard
			if lastOpen, ok := openStack.pop(); ok && lastOpen == ucd.LinkBracket(r) {
				term = ucd.Include
			}
		}
		switch term {
		case ucd.Include:
			dst = append(dst, s[copied:i+size]...)
			copied = i + size
		case ucd.Hard:
			dst = append(dst, s[copied:i]...)
			dst = percent.Append(dst, s[i:i+size])
			copied = i + size
		}
		i += size
	}
	if !last || copied == len(s) {
		return append(dst, s[copied:]...)
	}
	// The rest is Soft, and the link would end before it.
	_, size := utf8.DecodeLastRuneInString(s)
	dst = append(dst, s[copied:len(s)-size]...)
	return percent.Append(dst, s[len(s)-size:])
}

// isHexDigit reports whether r is a hexadecimal digit.
func isHexDigit(r rune) bool { return r < utf8.RuneSelf && ascii.IsHex(byte(r)) }

// completesEscape reports whether the character, appended to out, would make a
// percent-escape together with a literal percent sign.
func completesEscape(out []byte, c rune) bool {
	n := len(out)
	if !isHexDigit(c) || n == 0 {
		return false
	}
	return out[n-1] == '%' || n > 1 && out[n-2] == '%' && ascii.IsHex(out[n-1])
}
