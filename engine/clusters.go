package engine

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// hideClusters hides the characters of each grapheme cluster of which one that readers
// could see stays escaped: a mark without its letter, or a letter without its mark, reads
// as another word. It reports whether it hid any. Typed characters stay.
func (u *shownUnits) hideClusters() bool {
	hid := false
	for start := 0; start < len(u.units); {
		end := start + 1
		for end < len(u.units) && u.extends(end) {
			end++
		}
		if u.isBroken(start, end) {
			for i := start; i < end; i++ {
				t := &u.units[i]
				if t.shown && t.r >= utf8.RuneSelf && (!t.typed || ucd.IsDefaultIgnorable(t.r)) {
					t.shown, hid = false, true
				}
			}
		}
		start = end
	}
	return hid
}

// extends reports whether the unit i belongs to the cluster of the unit before it.
func (u *shownUnits) extends(i int) bool {
	t := u.units[i]
	return t.emoji || t.valid && t.r >= utf8.RuneSelf && (ucd.IsMark(t.r) || isJoiner(t.r))
}

// isBroken reports whether a character of the cluster is hidden: part of an emoji
// sequence, or one that is visible.
func (u *shownUnits) isBroken(start, end int) bool {
	for _, t := range u.units[start:end] {
		if !t.shown && t.valid && t.r >= utf8.RuneSelf && (t.emoji || !ucd.IsDefaultIgnorable(t.r)) {
			return true
		}
	}
	return false
}
