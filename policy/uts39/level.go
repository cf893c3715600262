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
