package engine

import (
	"unicode"

	"golang.org/x/text/unicode/bidi"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// An unseenClass is a class of characters that people do not see, or see wrongly.
type unseenClass uint8

const (
	seenClass      unseenClass = iota
	invisibleClass             // shows nothing
	hyphenClass                // SOFT HYPHEN: shown as a hyphen only where a line ends
	bidiClass                  // bidi controls: they set directions
	tagClass                   // tag characters: they spell ASCII
	selectorClass              // VARIATION SELECTOR-1 to -256
	markClass                  // a visible mark on a letter of another script
)

// unseenClassOf returns the class of a character by its Unicode properties.
func unseenClassOf(r rune) unseenClass {
	switch {
	case r < 0xad:
		return seenClass
	case r == 0xad:
		return hyphenClass
	case 0xfe00 <= r && r <= 0xfe0f, 0xe0100 <= r && r <= 0xe01ef:
		return selectorClass
	case 0xe0000 <= r && r <= 0xe007f:
		return tagClass
	case ucd.IsBidiControl(r):
		return bidiClass
	case ucd.IsDefaultIgnorable(r):
		return invisibleClass
	case showsNothing(r) && r != 0xfffc && r != 0xfffd: // programs show a sign for these two
		return invisibleClass
	}
	return seenClass
}

// unseenChar is a character of a stretch.
type unseenChar struct {
	r     rune
	class unseenClass
	start int
	size  int
}

// unseenStretch is a run of unseen characters with its neighbours.
type unseenStretch struct {
	line  *unseenLine
	chars []unseenChar
	next  rune // the visible character after it; -1 for none
	many  bool // they are more than any script needs
}

// needed returns how many characters, from the index i on, a script or an emoji needs.
func (s *unseenStretch) needed(i int) int {
	c, base, next := &s.chars[i], s.line.base, s.next
	if n := s.emoji(i); n > 0 {
		return n
	}
	isMark := c.r == 0x200e || c.r == 0x200f || c.r == 0x061c // a direction mark
	if c.class == bidiClass && !isMark && s.line.isRTL() {
		// Embeddings have two controls, so in a line with right-to-left letters all of them stay.
		if _, within := s.line.order(c.start); !within {
			return 1
		}
	}
	if c.class != selectorClass && s.many {
		return 0
	}
	is := func(need bool) int {
		if need {
			return 1
		}
		return 0
	}
	first := i == 0
	switch r := c.r; {
	case c.class == selectorClass:
		return is(first && takesSelector(base, r))
	case c.class == bidiClass:
		_, within := s.line.order(c.start)
		return is(!within && s.line.isRTL())
	case isJoiner(r):
		return is(i < 2 && (!first && s.chars[0].r != r || first) && (usesJoiners(base) || usesJoiners(next)))
	case isMongolianFormat(r):
		return is(i < 2 && isMongolianLetter(base))
	case r == 0x200b: // ZERO WIDTH SPACE
		return is(first && (hasNoSpaces(base) || hasNoSpaces(next)))
	case r == 0x034f: // COMBINING GRAPHEME JOINER
		return is(first && base >= 0 && (ucd.IsMark(base) || unicode.IsLetter(base) && ucd.IsMark(next)))
	case r == 0x17b4, r == 0x17b5: // inherent vowels of Khmer
		return is(first && base >= 0 && ucd.ScriptOf(base) == ucd.ScriptKhmr)
	case r == 0x115f, r == 0x1160: // fillers of old Hangul
		return is(first && (isJamo(base) || isJamo(next)))
	case r == 0x2800: // BRAILLE PATTERN BLANK
		return is(isBraille(base) || isBraille(next))
	case r == 0xfeff:
		return is(c.start == 0) // BYTE ORDER MARK
	case 0x2061 <= r && r <= 0x2064: // invisible operators of formulas
		return is(first && len(s.chars) == 1 && (isMathematical(base) || isMathematical(next)))
	case 0x1d173 <= r && r <= 0x1d17a:
		return is(isMusical(base) || isMusical(next))
	case 0x1bca0 <= r && r <= 0x1bca3:
		return is(base >= 0 && ucd.ScriptOf(base) == ucd.ScriptDupl)
	case 0xfff9 <= r && r <= 0xfffb, r == 0x16fe4: // annotation characters; KHITAN SMALL SCRIPT FILLER
		return is(r == 0x16fe4 && base >= 0 && ucd.ScriptOf(base) == ucd.ScriptKits)
	}
	return 0
}

// emoji returns how many characters from the index i on belong to an emoji.
func (s *unseenStretch) emoji(i int) int {
	base := s.line.base
	const flag, cancel = 0x1f3f4, 0xe007f
	c := &s.chars[i]
	switch {
	case c.class == tagClass && base == flag && i == 0:
		const longest = 6 // the letters of a region, as in the flag of Scotland
		for n := 1; n <= longest && n < len(s.chars); n++ {
			if r := s.chars[n].r; r == cancel && n >= 4 {
				return n + 1
			} else if s.chars[n].class != tagClass || !(0xe0030 <= r && r <= 0xe0039 || 0xe0061 <= r && r <= 0xe007a) {
				return 0
			}
		}
	case c.r == zeroWidthJoiner && isPictograph(base) && isPictograph(s.next) && i == len(s.chars)-1:
		return 1
	}
	return 0
}

// isPictograph reports whether r may be a character of an emoji that has joiners.
func isPictograph(r rune) bool {
	switch {
	case r < 0xa9:
		return false
	case 0x1f000 <= r && r <= 0x1faff, 0x2190 <= r && r <= 0x21ff, 0x2300 <= r && r <= 0x23ff, 0x25a0 <= r && r <= 0x27bf, 0x2900 <= r && r <= 0x297f, 0x2b00 <= r && r <= 0x2bff:
		return true
	}
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x24c2, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return false
}

// takesSelector reports whether a selector may choose a form of the character in front of it: its
// emoji or text form, or a form of an ideograph, a mathematical sign or a letter of some scripts.
func takesSelector(base, selector rune) bool {
	isLetter := unicode.IsLetter(base)
	switch {
	case base <= ' ' || unicode.IsSpace(base):
		return false
	case isPictograph(base):
		return selector <= variationSelector
	case selector == textSelector, selector == variationSelector:
		return !isLetter && !ucd.IsMark(base)
	case selector >= 0xe0100, isLetter && shareScript(base, 0x4e00):
		return unicode.Is(unicode.Han, base)
	case selector > 0xfe02:
		return ucd.ScriptOf(base) == ucd.ScriptEgyp
	}
	return !isLetter || usesJoiners(base)
}

// lettersApart are scripts whose letters never join, so that readers need no ZWJ or ZWNJ.
var lettersApart = ucd.Scripts(ucd.ScriptLatn, ucd.ScriptGrek, ucd.ScriptCyrl, ucd.ScriptArmn, ucd.ScriptGeor, ucd.ScriptHebr, ucd.ScriptEthi,
	ucd.ScriptCher, ucd.ScriptCans, ucd.ScriptHani, ucd.ScriptHira, ucd.ScriptKana, ucd.ScriptBopo, ucd.ScriptHang, ucd.ScriptZyyy, ucd.ScriptZinh, ucd.ScriptZzzz)

// usesJoiners reports whether r is a letter, mark or digit of a script with joined letters or conjuncts.
func usesJoiners(r rune) bool {
	if r < 0x0600 {
		return 0x0590 <= r && ucd.IsMark(r) // the points of Hebrew
	}
	return !lettersApart.Has(ucd.ScriptOf(r)) || r == 0x0640 || 0x064b <= r && r <= 0x0655 || r == 0x0670 || ucd.IsVirama(r)
}

// hasNoSpaces reports whether r belongs to a script that has no spaces between words.
func hasNoSpaces(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return ucd.ScanOf(r).Spaceless() || 0x3000 <= r && r <= 0x303f || 0xff00 <= r && r <= 0xff60 ||
		ucd.Scripts(ucd.ScriptTibt, ucd.ScriptThai, ucd.ScriptLaoo, ucd.ScriptKhmr, ucd.ScriptMymr).Has(ucd.ScriptOf(r))
}

func isJamo(r rune) bool {
	return 0x1100 <= r && r <= 0x11ff || 0xa960 <= r && r <= 0xa97f || 0xd7b0 <= r && r <= 0xd7ff
}

func isBraille(r rune) bool { return 0x2800 < r && r <= 0x28ff }

func isMusical(r rune) bool { return 0x1d100 <= r && r <= 0x1d1ff }

func isMathematical(r rune) bool { return unicode.Is(unicode.Sm, r) || 0x1d400 <= r && r <= 0x1d7ff }

// isForeignMark reports whether no script has the mark on the letter, by the scripts that Unicode
// gives for both.
func isForeignMark(mark, letter rune) bool {
	of := ucd.IdentityOf(mark).Extensions()
	if !of.And(anyScript).IsEmpty() || ucd.IsUnassigned(mark) {
		return false
	}
	// Text decoded with a wrong charset often has ideographs and letters of rare scripts.
	if script := ucd.ScriptOf(letter); script == ucd.ScriptHani || !ucd.RecommendedScripts().Has(script) {
		return false
	}
	on := ucd.IdentityOf(letter).Extensions()
	return on.And(anyScript).IsEmpty() && !shareScript(mark, letter)
}

// isRTL reports whether r is a right-to-left letter.
func isRTL(r rune) bool {
	if r < 0x590 || !unicode.IsLetter(r) { // direction marks and the newest marks also have a direction
		return false
	}
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}
