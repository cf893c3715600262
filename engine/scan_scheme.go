package engine

import "github.com/linkmilter/linkmilter/internal/scheme"

// mailtoPrefix is the scheme of addresses with its colon (RFC 6068).
const mailtoPrefix = scheme.Mailto + ":"

// schemeBefore returns where the scheme before the ":" at the offset p begins, at
// floor or after it, or -1. A longer word that ends in the name of a scheme is
// another scheme.
func (sc *scan) schemeBefore(p, floor int) int {
	for _, s := range scheme.Linked {
		a := p - len(s)
		if a >= floor && hasLetters(sc.text, a, s) && !sc.goesOnBefore(a) {
			return a
		}
	}
	return -1
}

// anySchemeBefore is schemeBefore for the end of a longer word, too. A scheme that begins
// with another one's name counts as that one.
func (sc *scan) anySchemeBefore(p, floor int) int {
	for _, s := range scheme.Linked {
		if a := p - len(s); a >= floor && hasLetters(sc.text, a, s) {
			return a
		}
	}
	return -1
}

// endsInMailto reports whether text[:end] ends in "mailto" before a ":", at which an
// address begins, also in the middle of a label. It ends the name before it.
func (sc *scan) endsInMailto(end int) bool {
	a := end - len(scheme.Mailto)
	return byteAt(sc.text, end) == ':' && a >= 0 && hasLetters(sc.text, a, scheme.Mailto)
}

// goesOnBefore reports whether the name of the scheme that ends with the word at the
// offset a begins before it: at a letter, with letters, digits, "+" and "-" behind it
// (RFC 3986 §3.1). In default mode a hyphen is text, as in "-https://example.com" and
// "see-https://example.com", and so is a "+" without a word before it (adjustment "list
// mark").
func (sc *scan) goesOnBefore(a int) bool {
	for a--; a >= 0; a-- {
		c := sc.text[a]
		switch {
		case byteClass[c]&digitByte != 0:
		case c == '-', c == '+':
			return sc.strict || c == '+' && a > 0 && byteClass[sc.text[a-1]]&alnumByte != 0
		default:
			return byteClass[c]&alnumByte != 0
		}
	}
	return false
}

// skipSchemes returns the offset behind further slashes and schemes at the offset i,
// behind a scheme. Browsers skip the slashes, and people mean the last of two schemes.
func (sc *scan) skipSchemes(i int) int {
	for {
		if c := byteAt(sc.text, i); c == '/' || c == '\\' {
			i++
			continue
		}
		n := schemeLen(sc.text[i:])
		if n == 0 {
			return i
		}
		i += n
	}
}

// schemeLen returns the length of the scheme with "://" that text begins with, or 0.
func schemeLen(text string) int {
	for _, s := range scheme.Linked {
		if n := len(s) + len("://"); len(text) >= n && text[len(s):n] == "://" && hasLetters(text, 0, s) {
			return n
		}
	}
	return 0
}
