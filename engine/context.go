package engine

import (
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A shownUnit is a character or an escape of a part, with the decision whether to show it as a
// character.
type shownUnit struct {
	r     rune
	start int32 // offset into the text of the part
	size  int32
	typed bool // it was typed as a character, not as an escape
	valid bool // it was typed, or its escape can be shown as a character
	shown bool
	emoji bool // it is in an emoji sequence, but not its first character
}

// shownUnits are the units of a part of a URL.
type shownUnits struct {
	units []shownUnit
	run   []byte // scratch for the text of a run of units
}

// maxRounds is how often settle applies the context rules to a part. The rules only hide units, and
// hiding one may make another rule hide more, but not in long chains: three rounds are enough. The
// limit keeps the time linear in any case.
const maxRounds = 8

// settle hides the units that cannot be shown because of their neighbours. It returns false if the
// rules did not settle within maxRounds: then no non-ASCII character may be shown. last says that the
// part ends the link.
func (u *shownUnits) settle(p part, last bool) bool {
	if last {
		u.hideFinalSoft()
	}
	for range maxRounds {
		before := u.countShown()
		u.hideJoiners()
		u.hideLonely()
		u.hideMarks()
		u.hideUnstable()
		u.hideBrackets(p)
		u.hideTextEnds(last)
		if u.countShown() == before {
			return true
		}
	}
	return false
}

// hideAll hides all units except typed ASCII.
func (u *shownUnits) hideAll() {
	for i := range u.units {
		t := &u.units[i]
		t.shown = t.typed && t.r < utf8.RuneSelf
	}
}

// countShown returns the number of units that are shown.
func (u *shownUnits) countShown() int {
	n := 0
	for i := range u.units {
		if u.units[i].shown {
			n++
		}
	}
	return n
}

// hideFinalSoft hides a decoded character at the end of the link if it is Soft, since the link would
// end before it (UTS #58 §4.1), or if it ends a link in default mode. A typed character was part of the
// link, so it stays.
func (u *shownUnits) hideFinalSoft() {
	if n := len(u.units); n > 0 {
		t := &u.units[n-1]
		t.shown = t.shown && (t.typed || ucd.LinkTermOf(t.r) != ucd.Soft && !isTrailing(t.r))
	}
}

// maxTextEnds is how many characters hideTextEnds hides in one call.
const maxTextEnds = 16

// hideTextEnds hides decoded characters at which default mode would end the link: see adjust_end.go.
func (u *shownUnits) hideTextEnds(last bool) {
	for range maxTextEnds {
		text := u.run[:0]
		for _, t := range u.units {
			if t.shown {
				text = utf8.AppendRune(text, t.r)
			} else {
				text = append(text, "%EF"...)
			}
		}
		u.run = text
		end := sentenceIn(string(text), 0, len(text))
		if last && end == len(text) {
			end = beforeSuffix(string(text), 0, len(text))
		}
		if end == len(text) || !u.hideFrom(end) {
			return
		}
	}
}

// hideFrom hides the first decoded non-ASCII character at or after the offset end of the text that
// hideTextEnds builds. It reports whether there was one.
func (u *shownUnits) hideFrom(end int) bool {
	offset := 0
	for i := range u.units {
		t := &u.units[i]
		if offset >= end && t.shown && !t.typed && t.r >= utf8.RuneSelf {
			t.shown = false
			return true
		}
		if t.shown {
			offset += utf8.RuneLen(t.r)
		} else {
			offset += len("%EF")
		}
	}
	return false
}

// hideJoiners hides joiners and Mongolian format characters that make no visible difference.
func (u *shownUnits) hideJoiners() {
	for i := range u.units {
		t := &u.units[i]
		if !t.shown || t.emoji {
			continue
		}
		switch {
		case isMongolianFormat(t.r):
			t.shown = u.allowsMongolian(i)
		case isJoiner(t.r):
			t.shown = u.isRaJoiner(i) || u.allowsJoiner(i)
		}
	}
}

// isRaJoiner reports whether the unit i is the ZWJ between ra and virama, which changes the form of the
// next consonant in Bengali and Kannada.
func (u *shownUnits) isRaJoiner(i int) bool {
	if u.units[i].r != zeroWidthJoiner || i == 0 || i+1 == len(u.units) || !u.units[i-1].shown || !u.units[i+1].shown {
		return false
	}
	switch ra, virama := u.units[i-1].r, u.units[i+1].r; ra {
	case 'র':
		return virama == '\u09cd'
	case 'ರ':
		return virama == '\u0ccd'
	}
	return false
}

// allowsMongolian reports whether the unit i changes the letter in front of it: it is a variation
// selector, or the vowel separator in front of a final vowel.
func (u *shownUnits) allowsMongolian(i int) bool {
	if i == 0 || !u.units[i-1].shown {
		return false
	}
	before := u.units[i-1].r
	if u.units[i].r != mongolianVowelSeparator {
		return isMongolianLetter(before)
	}
	if i+1 == len(u.units) || !u.units[i+1].shown || !isMongolianLetter(before) && !isMongolianFormat(before) {
		return false
	}
	return u.units[i+1].r == 'ᠠ' || u.units[i+1].r == 'ᠡ'
}

// joiners checks only the CONTEXTJ rules.
var joiners = idna.New(idna.CheckJoiners(true))

// allowsJoiner applies the CONTEXTJ rules to the unit i (RFC 5892 appendix A.1 and A.2). A virama must
// be in front of it. For ZWNJ it is also enough that the letters on both sides would join, with only
// marks between them.
func (u *shownUnits) allowsJoiner(i int) bool {
	if i > 0 && u.units[i-1].shown && ucd.IsVirama(u.units[i-1].r) {
		return true
	}
	const maxMarks = 8
	from, to := i-1, i+1
	for from >= 0 && i-from <= maxMarks && u.isShownMark(from) {
		from--
	}
	for to < len(u.units) && to-i <= maxMarks && u.isShownMark(to) {
		to++
	}
	if from < 0 || to == len(u.units) || u.units[i].r != zeroWidthNonJoiner {
		return false
	}
	label := u.run[:0]
	for _, t := range u.units[from : to+1] {
		if !t.shown || t.r < utf8.RuneSelf {
			return false
		}
		label = utf8.AppendRune(label, t.r)
	}
	u.run = label
	_, err := joiners.ToUnicode(string(label))
	return err == nil
}

// isShownMark reports whether the unit i is a combining mark and shown.
func (u *shownUnits) isShownMark(i int) bool {
	return u.units[i].shown && ucd.IsMark(u.units[i].r)
}

// hideLonely hides a letter or digit that looks like URL syntax, unless its neighbour is a character of
// the same script that does not look so.
func (u *shownUnits) hideLonely() {
	for i := 0; i < len(u.units); i++ {
		if !u.isLookalike(i) {
			continue
		}
		end := i + 1
		for end < len(u.units) && u.isLookalike(end) {
			end++
		}
		if !u.isCompany(i-1, u.units[i].r) && !u.isCompany(end, u.units[end-1].r) {
			for j := i; j < end; j++ {
				u.units[j].shown = false
			}
		}
		i = end
	}
}

// isLookalike reports whether the unit i is shown and looks like URL syntax.
func (u *shownUnits) isLookalike(i int) bool {
	return u.units[i].shown && ucd.IsSyntaxLookalike(u.units[i].r)
}

// isCompany reports whether the unit i exists, is shown and shares a script with r.
func (u *shownUnits) isCompany(i int, r rune) bool {
	if i < 0 || i >= len(u.units) {
		return false
	}
	t := u.units[i]
	return t.shown && t.r >= utf8.RuneSelf && shareScript(r, t.r)
}

// hideMarks hides a combining mark that has no character to combine with. At the start of a segment, or
// after an escape, it would alter the look of the syntax. After a joiner it has no effect.
func (u *shownUnits) hideMarks() {
	carries := false // the previous unit can carry a mark
	for i := range u.units {
		t := &u.units[i]
		if !carries && ucd.IsMark(t.r) {
			t.shown = false
		}
		joins := isJoiner(t.r) && !u.isRaJoiner(i)
		carries = t.shown && (t.r >= utf8.RuneSelf && !joins || ascii.IsAlphanumeric(t.r))
	}
}

// hideUnstable hides decoded characters that NFC would change: a program that normalises its text would
// make another URL of them. Typed characters stay. So do letters that keyboards have although NFC
// excludes them.
func (u *shownUnits) hideUnstable() {
	for i := 0; i < len(u.units); {
		if !u.units[i].shown {
			i++
			continue
		}
		end := i
		run := u.run[:0]
		for end < len(u.units) && u.units[end].shown {
			run = utf8.AppendRune(run, u.units[end].r)
			end++
		}
		u.run = run
		if norm.NFC.QuickSpan(run) < len(run) {
			u.hideUnstableIn(i, run)
		}
		i = end
	}
}

// hideUnstableIn is hideUnstable for a run of shown units. first is the index of its first unit, and
// run its text. NFC changes each segment by itself.
func (u *shownUnits) hideUnstableIn(first int, run []byte) {
	for len(run) > 0 {
		n := norm.NFC.NextBoundary(run, true)
		count := utf8.RuneCount(run[:n])
		if !norm.NFC.IsNormal(run[:n]) && !isStableAsTyped(run[:n]) {
			for j := first; j < first+count; j++ {
				u.units[j].shown = u.units[j].typed
			}
		}
		first += count
		run = run[n:]
	}
}

// hideBrackets hides decoded brackets without a partner: they could end the link, or extend it beyond
// its end.
func (u *shownUnits) hideBrackets(p part) {
	start := 0
	for i, t := range u.units {
		if t.typed && p.clears(t.r) {
			pairBrackets(u.units[start:i])
			start = i + 1
		}
	}
	pairBrackets(u.units[start:])
}

// pairBrackets hides the decoded brackets without a decoded partner. If more brackets are open than
// detection follows, it hides all decoded brackets.
func pairBrackets(units []shownUnit) {
	var stack [maxOpen]int // indices of the brackets that are open
	open, opening := 0, 0
	for i := range units {
		if units[i].shown && ucd.LinkTermOf(units[i].r) == ucd.Open {
			opening++
		}
	}
	if opening > maxOpen {
		for i := range units {
			t := &units[i]
			term := ucd.LinkTermOf(t.r)
			t.shown = t.shown && (t.typed || term != ucd.Open && term != ucd.Close)
		}
		return
	}
	for i := range units {
		t := &units[i]
		if !t.shown {
			continue
		}
		switch ucd.LinkTermOf(t.r) {
		case ucd.Open:
			stack[open] = i
			open++
		case ucd.Close:
			if t.typed {
				// The partner of a typed bracket was typed, so decoded brackets between them have none.
				for open > 0 && !units[stack[open-1]].typed {
					open--
					units[stack[open]].shown = false
				}
				open = max(open-1, 0)
			} else if open > 0 && !units[stack[open-1]].typed && units[stack[open-1]].r == ucd.LinkBracket(t.r) {
				open--
			} else {
				t.shown = false
			}
		}
	}
	for _, i := range stack[:open] {
		if !units[i].typed {
			units[i].shown = false
		}
	}
}

// hideClusters hides the characters of a grapheme cluster if a visible character of it stays escaped. A
// mark without its letter, or a letter without its mark, reads as another word. It reports whether it
// hid any. Typed characters stay.
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

// extends reports whether the unit i belongs to the cluster of the previous unit.
func (u *shownUnits) extends(i int) bool {
	t := u.units[i]
	return t.emoji || t.valid && t.r >= utf8.RuneSelf && (ucd.IsMark(t.r) || isJoiner(t.r))
}

// isBroken reports whether a character of the cluster is hidden that readers would see, or that is part
// of an emoji sequence.
func (u *shownUnits) isBroken(start, end int) bool {
	for _, t := range u.units[start:end] {
		if !t.shown && t.valid && t.r >= utf8.RuneSelf && (t.emoji || !ucd.IsDefaultIgnorable(t.r)) {
			return true
		}
	}
	return false
}

// showEmoji shows the invisible characters of emoji sequences, which decide which image readers see.
// Elsewhere these characters stay hidden.
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

// mayBeginEmoji reports whether the unit i may begin an emoji sequence, judged by the next unit.
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

// emojiLen returns the number of units of the longest emoji sequence at the unit i, or 0.
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

// isTag reports whether r is a tag character; some flag emoji are sequences of them.
func isTag(r rune) bool { return 0xe0020 <= r && r <= 0xe007f }
