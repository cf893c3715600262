package uts39

import (
	"golang.org/x/text/unicode/bidi"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// BidiSkeleton returns bidiSkeleton(d, s) of UTS #39 §4: the skeleton of s as
// displayed in a paragraph of the direction d. Strings with the same one look
// alike there. For a string without right-to-left characters in a
// left-to-right paragraph it is Skeleton(s).
func BidiSkeleton(d Direction, s string) string {
	if d == LeftToRight && !HasRightToLeft(s) {
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
		// Rule L3: the marks of a right-to-left letter come before it in
		// visual order, the last first; they go back behind it.
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

// HasRightToLeft reports whether s has a character that is displayed from
// right to left: of Bidi_Class R, AL or AN (UAX #9).
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

// firstRightToLeft is where the first block of right-to-left characters
// begins: Hebrew.
const firstRightToLeft = 0x590

// isNonspacing reports Bidi_Class NSM.
func isNonspacing(r rune) bool {
	props, _ := bidi.LookupRune(r)
	return props.Class() == bidi.NSM
}

// mirror returns the character that looks like the mirror image of r (rule
// L4), for brackets and what is used like them; r itself for any other.
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

// closingBracket returns the closing bracket of an opening one: in nearly all
// pairs it is the next code point or the next but one; r itself where there
// is none.
func closingBracket(r rune) rune {
	for c := r - 2; c <= r+3; c++ {
		if ucd.LinkBracket(c) == r {
			return c
		}
	}
	return r
}
