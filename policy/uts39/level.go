package uts39

import "github.com/linkmilter/linkmilter/internal/ucd"

// A Level is a restriction level of UTS #39 §5.2. A lower level is a more
// trustworthy mixture of scripts. The numbers are those of the standard.
type Level uint8

// The restriction levels.
const (
	ASCIIOnly             Level = 1 + iota // every character is ASCII
	SingleScriptOnly                       // every character is of one script or writing system
	HighlyRestrictive                      // Latin with Japanese, Korean, or Han with Bopomofo
	ModeratelyRestrictive                  // Latin with one recommended script other than Cyrillic and Greek
	MinimallyRestrictive                   // any mixture
	Unrestricted                           // a character is outside the General Security Profile
)

// String returns the name of the level in the standard, such as
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
func LevelOf(s string) Level {
	a := Analyze(s)
	switch {
	case a.allASCII:
		return ASCIIOnly
	case !a.Allowed:
		return Unrestricted
	}
	return a.Mixture()
}

// withLatin has the writing systems that Highly Restrictive allows together
// with Latin.
var withLatin = ucd.Scripts(ucd.ScriptJpan, ucd.ScriptHanb, ucd.ScriptKore)

// Mixture returns the restriction level by the scripts alone, at most
// MinimallyRestrictive. It ignores whether the characters are in the General
// Security Profile.
func (a Analysis) Mixture() Level {
	switch {
	case a.allASCII:
		return ASCIIOnly
	case !a.Scripts.IsEmpty():
		return SingleScriptOnly
	case !a.foreign.And(withLatin).IsEmpty():
		return HighlyRestrictive
	case !a.foreign.And(besideLatin).IsEmpty():
		return ModeratelyRestrictive
	}
	return MinimallyRestrictive
}

// besideLatin has the scripts that Moderately Restrictive allows together with
// Latin. Cyrillic and Greek are not among them: many of their letters look
// like Latin ones.
var besideLatin = ucd.RecommendedScripts().Without(ucd.Scripts(ucd.ScriptCyrl, ucd.ScriptGrek, ucd.ScriptZyyy, ucd.ScriptZinh))
