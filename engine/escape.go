package engine

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// maxOpen is the number of brackets that may be open at a time (UTS #58 §3.5.1).
const maxOpen = 125

// appendMinimal appends one part of a URL, minimally escaped by UTS #58 §4.1:
// what would end the link there is percent-escaped, everything else stays.
// The part comes without its initiator and with the interior escaping that
// keeps data apart from syntax, so that no terminator of the part occurs.
// last says that no other part follows.
func appendMinimal(dst []byte, s string, p part, last bool) []byte {
	var stack [maxOpen]rune
	open := 0
	copied := 0 // how much of s is in dst
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if p.clears(r) {
			open = 0
		}
		term := ucd.LinkTermOf(r)
		switch {
		case term == ucd.Open && open == maxOpen:
			term = ucd.Hard
		case term == ucd.Open:
			stack[open] = r
			open++
			term = ucd.Include
		case term == ucd.Close && open == 0:
			term = ucd.Hard
		case term == ucd.Close:
			open--
			term = ucd.Hard
			if stack[open] == ucd.LinkBracket(r) {
				term = ucd.Include
			}
		}
		switch term {
		case ucd.Include:
			dst = append(dst, s[copied:i+size]...)
			copied = i + size
		case ucd.Hard:
			dst = append(dst, s[copied:i]...)
			dst = appendEscaped(dst, s[i:i+size])
			copied = i + size
		}
		i += size
	}
	if !last || copied == len(s) {
		return append(dst, s[copied:]...)
	}
	// Only Soft characters are left, and the link would end before them.
	_, size := utf8.DecodeLastRuneInString(s)
	dst = append(dst, s[copied:len(s)-size]...)
	return appendEscaped(dst, s[len(s)-size:])
}
