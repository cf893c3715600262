package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Other programs link every scheme with "://", some schemes without slashes, and words that end in
// "http", whatever follows: steam://x, file:/etc/hosts, mailto:joe, seehttp://localhost. This file
// finds those without a domain name or an address. Their suspects end at the host.

// otherScheme returns the start of the scheme before the ":" at the offset p, behind the latest
// link: of name if that is not empty; of one that detection finds, also at the end of a word; or
// of the word. It returns -1 if no letter of ASCII begins it.
func (sc *scan) otherScheme(p int, name string) int {
	if a := p - len(name); name != "" {
		if a < sc.lastEnd {
			return -1
		}
		return a
	}
	if a := sc.anySchemeBefore(p, sc.lastEnd); a >= 0 {
		return a
	}
	i := p
	for i > sc.lastEnd && p-i < maxScheme && isSchemeByte(sc.text[i-1]) {
		i--
	}
	for i < p && !ascii.IsLetter(sc.text[i]) {
		i++
	}
	if i == p {
		return -1
	}
	return i
}

// maxScheme is the length in bytes of the longest scheme that counts.
const maxScheme = 64

// isSchemeByte reports whether a scheme may have the byte c (RFC 3986 §3.1).
func isSchemeByte(c byte) bool { return ascii.IsAlphanumeric(c) || c == '+' || c == '-' || c == '.' }

// looseRun returns the labels behind the offset i, with the dots and underscores between them and
// none of them at the end: behind punctuation and the last "@". Those of a mailto: URL may have
// what a local-part has.
func (sc *scan) looseRun(i int, mailto bool) (start, end int) {
	limit := i + maxLocalPart
	for i < len(sc.text) && !sc.isLabelAt(i) {
		if c := sc.text[i]; i >= limit || c <= ' ' || strings.IndexByte(`"<>:`, c) >= 0 || c >= utf8.RuneSelf && sc.isSpaceAt(i) {
			return i, i
		}
		_, size := decode(sc.text, i)
		i += size
	}
	start, end = i, i
	for i < len(sc.text) {
		_, size := decode(sc.text, i)
		c := sc.text[i]
		switch {
		case sc.isLabelAt(i):
			end = i + size
		case c == '@' && i+1 < len(sc.text) && sc.isLabelAt(i+1):
			start, end = i+1, i+1
		case mailto && byteClass[c]&localByte != 0:
		case c != '_' && c != '-' && separatorAt(sc.text, i) == 0:
			return start, end
		}
		i += size
	}
	return start, end
}

// isLabelAt reports whether the character at the offset i is part of a label, but not a hyphen or
// other punctuation.
func (sc *scan) isLabelAt(i int) bool {
	r, size := decode(sc.text, i)
	return r != '-' && ucd.HostClassOf(r) != ucd.HostPunctuation && sc.isInSymbolLabel(r, size)
}

// isSpaceAt reports whether white space or no character is at the offset i.
func (sc *scan) isSpaceAt(i int) bool {
	r, size := decode(sc.text, i)
	return ucd.IsWhiteSpace(r) || r == utf8.RuneError && size == 1
}
