package uts39

import "github.com/linkmilter/linkmilter/internal/ucd"

// An Analysis holds the results of one pass over a string.
type Analysis struct {
	// Allowed is true if all characters are in the General Security
	// Profile: Identifier_Status Allowed (UTS #39 §3.1).
	Allowed bool
	// MixedNumbers is true if the digits belong to more than one decimal
	// number system (UTS #39 §5.3).
	MixedNumbers bool
	// Scripts is the resolved script set (UTS #39 §5.1): the intersection of the
	// augmented script sets of the characters. It is all scripts if no character
	// belongs to a particular script, and empty for a string of mixed scripts.
	Scripts ucd.ScriptSet

	allASCII bool
	// foreign is the resolved script set of the characters that Latin text
	// does not use; all scripts if s has no such character.
	foreign ucd.ScriptSet
}

// Analyze returns the analysis of s. It looks at each character once and
// allocates nothing.
func Analyze(s string) Analysis {
	a := Analysis{allASCII: true, Allowed: true, Scripts: ucd.AllScripts(), foreign: ucd.AllScripts()}
	var zero rune
	for _, r := range s {
		if r < 0x80 {
			a.ascii(byte(r))
			zero = a.digit(zero, ucd.DigitZero(r))
			continue
		}
		a.allASCII = false
		id := ucd.IdentityOf(r)
		if !id.Allowed() {
			a.Allowed = false
		}
		scripts := augment(id)
		a.Scripts = a.Scripts.And(scripts)
		if !scripts.Has(ucd.ScriptLatn) {
			a.foreign = a.foreign.And(scripts)
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

// digit compares the number system of a character with that of the digits before it. A number
// system is identified by its digit zero; 0 means that the character is not a digit. digit returns
// the number system to compare the next digit with.
func (a *Analysis) digit(before, zero rune) rune {
	if zero == 0 {
		return before
	}
	if before != 0 && before != zero {
		a.MixedNumbers = true
	}
	return zero
}
