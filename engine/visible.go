package engine

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	textSelector       = '\ufe0e' // shows the character before it as text
	variationSelector  = '\ufe0f' // shows the character before it as emoji

	mongolianVowelSeparator = '\u180e'

	ethiopicWordspace = '\u1361' // separates words as the space does in other scripts
)

// isHidden reports whether a readable form never shows r, because readers could not see it or would be
// misled. It does not report joiners. Nor does it report look-alikes of syntax that may be shown next
// to some neighbours.
func isHidden(r rune) bool {
	if r < utf8.RuneSelf {
		return false
	}
	switch {
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner:
		return false
	case ucd.LinkTermOf(r) == ucd.Hard, ucd.IsUnassigned(r), ucd.IsWhiteSpace(r):
		return true
	case ucd.IsDefaultIgnorable(r), ucd.IsBidiControl(r), showsNothing(r), isLock(r):
		return true
	}
	return ucd.IsSyntaxLookalike(r) && !isEveryday(r)
}

// isJoiner reports whether r is ZWJ or ZWNJ.
func isJoiner(r rune) bool { return r == zeroWidthJoiner || r == zeroWidthNonJoiner }

// isMongolianFormat reports whether r selects the form of a Mongolian letter: a free
// variation selector, or the vowel separator.
func isMongolianFormat(r rune) bool { return 0x180b <= r && r <= 0x180f }

// isMongolianLetter reports whether r is a letter of Mongolian, Todo, Sibe or Manchu.
func isMongolianLetter(r rune) bool {
	return 0x1820 <= r && r <= 0x18aa && !ucd.IsMark(r) && !ucd.IsUnassigned(r)
}

// isStableAsTyped reports whether NFC changes only letters that keyboards of India and Bangladesh have
// and that NFC excludes from composition (UAX #15 §5), such as U+09DF.
func isStableAsTyped(text []byte) bool {
	var decomposed []byte
	for _, r := range string(text) {
		if isKeyboardLetter(r) {
			decomposed = norm.NFD.AppendString(decomposed, string(r))
		} else {
			decomposed = utf8.AppendRune(decomposed, r)
		}
	}
	return norm.NFC.IsNormal(decomposed)
}

// isKeyboardLetter reports whether r is such a letter (see isStableAsTyped).
func isKeyboardLetter(r rune) bool {
	switch r {
	case 0x09dc, 0x09dd, 0x09df, 0x0a33, 0x0a36, 0x0a59, 0x0a5a, 0x0a5b, 0x0a5e, 0x0b5c, 0x0b5d:
		return true
	}
	return 0x0958 <= r && r <= 0x095f
}

// showsNothing reports whether r has no visible shape although it is not Default_Ignorable_Code_Point.
// Examples are interlinear annotation, the object replacement and the replacement character.
func showsNothing(r rune) bool {
	switch r {
	case 0x2800, // BRAILLE PATTERN BLANK
		0x16fe4, // KHITAN SMALL SCRIPT FILLER
		0x1d159: // MUSICAL SYMBOL NULL NOTEHEAD
		return true
	}
	return 0xfff9 <= r && r <= 0xfffd
}

// isLock reports whether r is an emoji that looks like a browser's sign of a secure connection: a lock
// or a key.
func isLock(r rune) bool { return 0x1f50f <= r && r <= 0x1f513 }

// isEveryday reports whether r, which looks like URL syntax, is a letter, mark or digit of a living
// script, such as U+30CE or U+0660. Escapes should not break words apart, so such characters are shown
// next to others of their script.
func isEveryday(r rune) bool {
	types := ucd.IdentityOf(r).Types()
	isWord := unicode.In(r, unicode.L, unicode.M, unicode.Nd)
	return types&ucd.Recommended != 0 || types&ucd.LimitedUse != 0 && isWord || r == ethiopicWordspace
}

// isVisible reports whether readers can see all characters of a host.
func isVisible(host string) bool {
	for _, r := range host {
		if isHidden(r) {
			return false
		}
	}
	return true
}

// cjk are the scripts that Chinese, Japanese and Korean mix in one word.
var cjk = ucd.Scripts(ucd.ScriptHani, ucd.ScriptHira, ucd.ScriptKana, ucd.ScriptBopo, ucd.ScriptHang)

// anyScript are the values of Script that tell nothing about a character.
var anyScript = ucd.Scripts(ucd.ScriptZyyy, ucd.ScriptZinh)

// shareScript reports whether two characters are used in a common script.
func shareScript(a, b rune) bool {
	s := ucd.IdentityOf(a).Extensions().Without(anyScript)
	if !s.And(cjk).IsEmpty() {
		s = s.Or(cjk)
	}
	return !s.And(ucd.IdentityOf(b).Extensions()).IsEmpty()
}
