package engine

import (
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	ethiopicWordspace  = '\u1361' // separates words as the space does in other scripts
)

// isHidden reports whether a readable form never shows r, since readers could not
// see it or would be misled. It does not report joiners and letters that look like
// syntax, which depend on their neighbours.
func isHidden(r rune) bool {
	if r < utf8.RuneSelf {
		return false
	}
	switch {
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner:
		return false
	case ucd.LinkTermOf(r) == ucd.Hard, ucd.IsUnassigned(r), ucd.IsWhiteSpace(r):
		return true
	case ucd.IsDefaultIgnorable(r), ucd.IsBidiControl(r), isBlank(r), isLock(r):
		return true
	}
	return ucd.IsSyntaxLookalike(r) && !isEveryday(r)
}

// isBlank reports whether r is blank although it is not
// Default_Ignorable_Code_Point: interlinear annotation, the object replacement and
// the replacement character, and some that are just empty.
func isBlank(r rune) bool {
	switch r {
	case 0x2800, // BRAILLE PATTERN BLANK
		0x16fe4, // KHITAN SMALL SCRIPT FILLER
		0x1d159: // MUSICAL SYMBOL NULL NOTEHEAD
		return true
	}
	return 0xfff9 <= r && r <= 0xfffd
}

// isLock reports whether r is an emoji that looks like a browser's sign of a secure
// connection: a lock or key.
func isLock(r rune) bool { return 0x1f50f <= r && r <= 0x1f513 }

// isEveryday reports whether r, which looks like the syntax of a URL, is a letter,
// mark or digit of a living script, such as U+30CE or U+0660. An escape should not
// break words apart, so such characters are shown beside others of their script.
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

// cjk are the scripts that Chinese, Japanese and Korean mix in a word.
var cjk = ucd.Scripts(ucd.ScriptHani, ucd.ScriptHira, ucd.ScriptKana, ucd.ScriptBopo, ucd.ScriptHang)

// anyScript are the values of Script that say nothing about a character.
var anyScript = ucd.Scripts(ucd.ScriptZyyy, ucd.ScriptZinh)

// shareScript reports whether two characters are used in one script.
func shareScript(a, b rune) bool {
	s := ucd.IdentityOf(a).Extensions().Without(anyScript)
	if !s.And(cjk).IsEmpty() {
		s = s.Or(cjk)
	}
	return !s.And(ucd.IdentityOf(b).Extensions()).IsEmpty()
}
