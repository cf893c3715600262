package uts39

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// Skeleton returns internalSkeleton(s) of UTS #39 §4: strings that look alike,
// displayed without reordering, have the same one. It is for comparison only,
// no form to show or store.
func Skeleton(s string) string { return string(AppendSkeleton(nil, s)) }

// AppendSkeleton appends internalSkeleton(s) to dst.
func AppendSkeleton(dst []byte, s string) []byte {
	if isASCII(s) {
		for i := range len(s) {
			dst = appendPrototype(dst, rune(s[i]))
		}
		return dst
	}
	var decomposed, prototypes [4 * 64]byte
	p, replaced := prototypes[:0], false
	for d := norm.NFD.AppendString(decomposed[:0], s); len(d) > 0; {
		r, n := utf8.DecodeRune(d)
		if !ucd.IsDefaultIgnorable(r) {
			before := len(p)
			p = appendPrototype(p, r)
			replaced = replaced || string(p[before:]) != string(d[:n])
		} else {
			replaced = true
		}
		d = d[n:]
	}
	if !replaced {
		return append(dst, p...)
	}
	return norm.NFD.Append(dst, p...)
}

// appendPrototype appends the prototype of r.
func appendPrototype(dst []byte, r rune) []byte {
	if c := ucd.ConfusableOf(r); c != 0 {
		return append(dst, c.Prototype()...)
	}
	return utf8.AppendRune(dst, r)
}

// Confusable reports whether a and b look alike, displayed without
// reordering: their skeletons are equal (UTS #39 §4). Every string is
// confusable with itself.
func Confusable(a, b string) bool { return Skeleton(a) == Skeleton(b) }

// isASCII reports whether all octets of s are ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
