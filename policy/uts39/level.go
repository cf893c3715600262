package uts39

import "github.com/linkmilter/linkmilter/engine/ucd"

// A Level is a restriction level of UTS #39 §5.2: the lower, the more
// trustworthy the mixture of scripts. The numbers are those of the standard.
type Level uint8

// The restriction levels.
const (
	ASCIIOnly             Level = 1 + iota // all characters are ASCII
	SingleScriptOnly                       // all are of one script or writing system
	HighlyRestrictive                      // Latin with Japanese, Korean, or Han with Bopomofo
	ModeratelyRestrictive                  // Latin with one recommended script other than Cyrillic and Greek
	MinimallyRestrictive                   // any mixture
	Unrestricted                           // some character is not in the general security profile
)

// String returns the name of the level as in the standard, such as
// "Highly Restrictive".
func (l Level) String() string {
	switch l {
	case ASCIIOnly:
		return "ASCII-Only"
	case SingleScriptOnly:
		return "Single Script"
	case HighlyRestrictive:
		return "Highly Restrictive"
	case ModeratelyRestrictive:
		return "Moderately Restrictive"
	case MinimallyRestrictive:
		return "Minimally Restrictive"
	}
	return "Unrestricted"
}

// LevelOf returns the restriction level of s (UTS #39 §5.2).
func LevelOf(s string) Level { return Analyze(s).Level() }

// MixedNumbers reports whether s has decimal digits of more than one decimal
// number system (UTS #39 §5.3).
func MixedNumbers(s string) bool { return Analyze(s).MixedNumbers }

// An Analysis is what one pass over a string finds out about it.
type Analysis struct {
	// ASCII reports that all characters are ASCII.
	ASCII bool
	// Allowed reports that all characters are in the general security
	// profile: Identifier_Status Allowed (UTS #39 §3.1).
	Allowed bool
	// MixedNumbers reports digits of more than one decimal number system.
	MixedNumbers bool
	// Scripts is the resolved script set.
	Scripts ucd.ScriptSet
	// Foreign is the resolved script set of the characters that are not
	// used with Latin; all scripts where there is none.
	Foreign ucd.ScriptSet
}

// Analyze looks at each character of s once. It allocates nothing.
func Analyze(s string) Analysis {
	a := Analysis{ASCII: true, Allowed: true, Scripts: ucd.AllScripts(), Foreign: ucd.AllScripts()}
	var zero rune
	for _, r := range s {
		if r < 0x80 {
			a.ascii(byte(r))
			zero = a.digit(zero, ucd.DigitZero(r))
			continue
		}
		a.ASCII = false
		id := ucd.IdentityOf(r)
		if !id.Allowed() {
			a.Allowed = false
		}
		scripts := augment(id)
		a.Scripts = a.Scripts.And(scripts)
		if !scripts.Has(ucd.ScriptLatn) {
			a.Foreign = a.Foreign.And(scripts)
		}
		zero = a.digit(zero, ucd.DigitZero(r))
	}
	return a
}

// latin is the resolved script set of an ASCII letter.
var latin = ucd.Scripts(ucd.ScriptLatn)

// ascii adds an ASCII character to the analysis.
func (a *Analysis) ascii(c byte) {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		a.Scripts = a.Scripts.And(latin)
	case c == '-' || '0' <= c && c <= '9':
	default:
		if !ucd.IdentityOf(rune(c)).Allowed() {
			a.Allowed = false
		}
	}
}

// digit compares the zero of a character's number system, 0 if it is no
// digit, with that of the digits before, and returns it.
func (a *Analysis) digit(before, zero rune) rune {
	if zero == 0 {
		return before
	}
	if before != 0 && before != zero {
		a.MixedNumbers = true
	}
	return zero
}

// Level returns the restriction level (UTS #39 §5.2).
func (a Analysis) Level() Level {
	switch {
	case a.ASCII:
		return ASCIIOnly
	case !a.Allowed:
		return Unrestricted
	}
	return a.Mixture()
}

// withLatin are the writing systems that Highly Restrictive allows beside
// Latin.
var withLatin = ucd.Scripts(ucd.ScriptJpan, ucd.ScriptHanb, ucd.ScriptKore)

// Mixture returns the restriction level that the scripts alone give, whether
// or not all characters are in the general security profile: at most
// MinimallyRestrictive.
func (a Analysis) Mixture() Level {
	switch {
	case a.ASCII:
		return ASCIIOnly
	case !a.Scripts.IsEmpty():
		return SingleScriptOnly
	case !a.Foreign.And(withLatin).IsEmpty():
		return HighlyRestrictive
	case !a.Foreign.And(besideLatin).IsEmpty():
		return ModeratelyRestrictive
	}
	return MinimallyRestrictive
}

// besideLatin are the scripts that Moderately Restrictive allows beside
// Latin: too much of Cyrillic and Greek looks like Latin.
var besideLatin = ucd.RecommendedScripts().Without(ucd.Scripts(ucd.ScriptCyrl, ucd.ScriptGrek, ucd.ScriptZyyy, ucd.ScriptZinh))
