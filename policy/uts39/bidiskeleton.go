package uts39

import (
	"golang.org/x/text/unicode/bidi"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// BidiSkeleton returns bidiSkeleton(LTR, s) of UTS #39 §4: the skeleton of s as a
// left-to-right paragraph displays it. Strings with the same skeleton look alike
// there. A string without right-to-left characters has the skeleton Skeleton(s).
func BidiSkeleton(s string) string { return bidiSkeleton(leftToRight, s) }

// bidiSkeleton returns the skeleton of s as a paragraph of direction d displays it.
func bidiSkeleton(d baseDirection, s string) string {
	if d == leftToRight && !HasRightToLeft(s) {
		return Skeleton(s)
	}
	runes := make([]rune, 0, len(s))
	for _, r := range s {
		if !ucd.IsDefaultIgnorable(r) {
			runes = append(runes, r)
		}
	}
	lv := levels(d, runes)
	order := reorder(lv)
	displayed := make([]rune, 0, len(runes))
	for i := 0; i < len(order); {
		// Rule L3: in visual order the marks of a right-to-left letter come before it, the last
		// first. They go back to their places after the letter.
		end := i
		for end+1 < len(order) && lv[order[end]]%2 == 1 && isNonspacing(runes[order[end]]) && order[end+1] == order[end]-1 {
			end++
		}
		for j := end; j >= i; j-- {
			r := runes[order[j]]
			if lv[order[j]]%2 == 1 {
				r = mirror(r)
			}
			displayed = append(displayed, r)
		}
		i = end + 1
	}
	return Skeleton(string(displayed))
}

// HasRightToLeft reports whether s has a character that runs from right to
// left: Bidi_Class R, AL or AN (UAX #9).
func HasRightToLeft(s string) bool {
	for _, r := range s {
		if r < firstRightToLeft {
			continue
		}
		props, _ := bidi.LookupRune(r)
		switch props.Class() {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		}
	}
	return false
}

// firstRightToLeft is the first code point of Hebrew, the first block of right-to-left characters.
const firstRightToLeft = 0x590

// isNonspacing reports Bidi_Class NSM.
func isNonspacing(r rune) bool {
	props, _ := bidi.LookupRune(r)
	return props.Class() == bidi.NSM
}

// mirror returns the mirror image of r if r is a bracket or a quotation mark
// (rule L4); else r.
func mirror(r rune) rune {
	switch r {
	case '«':
		return '»'
	case '»':
		return '«'
	case '‹':
		return '›'
	case '›':
		return '‹'
	}
	if open := ucd.LinkBracket(r); open != 0 {
		return open
	}
	return closingBracket(r)
}

// closingBracket returns the closing bracket of the opening bracket r; r itself
// if it has none. The two are at most three code points apart.
func closingBracket(r rune) rune {
	for c := r - 2; c <= r+3; c++ {
		if ucd.LinkBracket(c) == r {
			return c
		}
	}
	return r
}
