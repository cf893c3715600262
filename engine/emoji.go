package engine

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// showEmoji shows the invisible characters of emoji sequences: there they decide which
// image readers see. Elsewhere they stay hidden.
func (u *shownUnits) showEmoji() {
	for i := 0; i+1 < len(u.units); i++ {
		n := 0
		if u.mayBeginEmoji(i) {
			n = u.emojiLen(i)
		}
		for ; n > 1; n-- {
			i++
			u.units[i].shown, u.units[i].emoji = true, true
		}
	}
}

// mayBeginEmoji reports whether the unit i can begin a sequence, by the unit behind it.
func (u *shownUnits) mayBeginEmoji(i int) bool {
	first := u.units[i]
	if !first.shown || first.r < utf8.RuneSelf && !ascii.IsDigit(byte(first.r)) {
		return false
	}
	switch next := u.units[i+1].r; {
	case next == variationSelector, next == zeroWidthJoiner:
		return true
	default:
		return isSkinTone(next) || isTag(next)
	}
}

// emojiLen returns the number of units of the longest emoji sequence that begins with
// the unit i, or 0.
func (u *shownUnits) emojiLen(i int) int {
	longest := 0
	text := u.run[:0]
	for n := 1; n <= ucd.MaxEmojiSequence && i+n <= len(u.units); n++ {
		t := u.units[i+n-1]
		if !t.valid || !t.shown && !ucd.IsDefaultIgnorable(t.r) {
			break
		}
		text = utf8.AppendRune(text, t.r)
		if ucd.IsEmojiSequence(text) {
			longest = n
		}
	}
	u.run = text
	return longest
}

// isSkinTone reports whether r is an emoji modifier.
func isSkinTone(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// isTag reports whether r is a tag character, of which some flags consist.
func isTag(r rune) bool { return 0xe0020 <= r && r <= 0xe007f }
