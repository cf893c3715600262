package engine

import (
	"strings"
	"unicode/utf8"
)

// maxNumber is the length in bytes of a number that is looked at as an IPv4 address.
const maxNumber = 64

// gluedNumber returns the number that hides an IPv4 address behind the ":" at the offset p and
// slashes, or an empty one. It is behind "://" and a word that ends in a scheme, as in
// seehttp://0, or behind "mailto:": other programs open it.
func (sc *scan) gluedNumber(p int) (a, end int) {
	a = skipSlashes(sc.text, p+1)
	if classAt(sc.text, a)&digitByte == 0 || a == p+1 {
		return a, a
	}
	if sc.endsInMailto(p) || sc.text[p+1:a] == "//" && endsInScheme(sc.text, p) {
		return a, sc.numberEnd(a)
	}
	return a, a
}

// numberEnd returns the end of the number at the offset a that hides an IPv4 address, or a.
func (sc *scan) numberEnd(a int) int {
	end := a
	for end < len(sc.text) && end-a < maxNumber && (classAt(sc.text, end)&alnumByte != 0 || sc.text[end] == '.') {
		end++
	}
	if end < len(sc.text) {
		r, size := decode(sc.text, end)
		if strings.ContainsRune("-_%@.", r) || classAt(sc.text, end)&alnumByte != 0 || r >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) && sc.isInHost(r) {
			return a // the host goes on
		}
	}
	number := strings.TrimRight(strings.ToLower(sc.text[a:end]), ".")
	if !endsInNumber(number) || isIPv4(number) {
		return a
	}
	if _, err := ipv4(number); err != nil {
		return a
	}
	return a + len(number)
}
