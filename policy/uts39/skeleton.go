package uts39

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Skeleton returns internalSkeleton(s) of UTS #39 §4: strings that look alike,
// displayed without reordering, have the same skeleton, and are confusable. Use it
// to compare only, not to show or store.
func Skeleton(s string) string { return string(AppendSkeleton(nil, s)) }

// AppendSkeleton appends internalSkeleton(s), UTS #39 §4, to dst and returns
// the extended slice.
func AppendSkeleton(dst []byte, s string) []byte {
	if ascii.Is(s) {
		for i := range len(s) {
			dst = appendPrototype(dst, rune(s[i]))
		}
		return dst
	}
	start := len(dst)
	for _, r := range norm.NFD.String(s) {
		if !ucd.IsDefaultIgnorable(r) {
			dst = appendPrototype(dst, r)
		}
	}
	if p := dst[start:]; !norm.NFD.IsNormal(p) {
		dst = append(dst[:start], norm.NFD.Bytes(p)...)
	}
	return dst
}

// ReadsASCII reports whether the skeleton of s is all ASCII (UTS #39 §4). It
// allocates nothing, and stops at the first character that does not look like
// ASCII.
func ReadsASCII(s string) bool {
	for i, r := range s {
		if d := norm.NFD.PropertiesString(s[i:]).Decomposition(); d == nil {
			if !looksASCII(r) {
				return false
			}
		} else {
			for len(d) > 0 {
				r, n := utf8.DecodeRune(d)
				if !looksASCII(r) {
					return false
				}
				d = d[n:]
			}
		}
	}
	return true
}

// looksASCII reports whether r, which has no decomposition, adds only ASCII to
// a skeleton.
func looksASCII(r rune) bool {
	if c := ucd.ConfusableOf(r); c != 0 {
		return ascii.Is(c.Prototype()) || ucd.IsDefaultIgnorable(r)
	}
	return r < utf8.RuneSelf || ucd.IsDefaultIgnorable(r)
}

// appendPrototype appends the prototype of r to dst: r itself if it has none.
func appendPrototype(dst []byte, r rune) []byte {
	if c := ucd.ConfusableOf(r); c != 0 {
		return append(dst, c.Prototype()...)
	}
	return utf8.AppendRune(dst, r)
}
