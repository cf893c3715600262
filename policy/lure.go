package policy

import (
	"iter"
	"strings"
)

// hasLure reports whether one of the lures is a part of the label between
// hyphens.
func hasLure(label string) bool {
	for part := range strings.SplitSeq(label, "-") {
		if lures.Has(part) {
			return true
		}
	}
	return false
}

// minGluedLure is the length of the shortest lure that counts without a hyphen before or behind it.
const minGluedLure = 4

// The lures that count without a hyphen, by their first and by their last two letters.
var luresByStart, luresByEnd = func() (byStart, byEnd map[[2]byte][]string) {
	byStart, byEnd = make(map[[2]byte][]string), make(map[[2]byte][]string)
	for lure := range lures.All() {
		if len(lure) >= minGluedLure {
			byStart[firstBytes(lure)] = append(byStart[firstBytes(lure)], lure)
			byEnd[lastBytes(lure)] = append(byEnd[lastBytes(lure)], lure)
		}
	}
	return byStart, byEnd
}()

// partsBesideLure iterates over the parts of a label between hyphens if one is a lure, and over the
// rests of a label that begins or ends with one. A part overlaps the lure if the first letter of the
// lure is its last: "paypalogin".
func partsBesideLure(label string) iter.Seq2[string, bool] {
	return func(yield func(part string, overlaps bool) bool) {
		if hasLure(label) {
			for part := range strings.SplitSeq(label, "-") {
				if !yield(part, false) {
					return
				}
			}
		}
		for _, lure := range luresByEnd[lastBytes(label)] {
			if rest, ok := strings.CutSuffix(label, lure); ok && (!yield(rest, false) || !yield(rest+lure[:1], true)) {
				return
			}
		}
		for _, lure := range luresByStart[firstBytes(label)] {
			if rest, ok := strings.CutPrefix(label, lure); ok && !yield(rest, false) {
				return
			}
		}
	}
}

// hasLureAround reports whether a label has a lure before or behind the name in it.
func hasLureAround(label, name string) bool {
	before, after, _ := strings.Cut(label, name)
	return hasLure(before) && len(before) >= minGluedLure || hasLure(after) && len(after) >= minGluedLure
}
