package ucd

// Code returns the four-letter code of the script (ISO 15924), such as "Latn".
func (s Script) Code() string {
	if s >= scriptCount {
		s = ScriptZzzz
	}
	return scriptCodes[4*int(s) : 4*int(s)+4]
}

// String returns the name of the script in English, such as "Latin".
func (s Script) String() string {
	if s >= scriptCount {
		s = ScriptZzzz
	}
	return scriptNames[s]
}

// AllScripts returns the set of all scripts, the ALL of UTS #39 §5.1.
func AllScripts() ScriptSet {
	return ScriptSet{^uint64(0), ^uint64(0), 1<<(scriptCount-128) - 1}
}

// RecommendedScripts returns the scripts that are in widespread modern use
// (UAX #31 table 5), Common and Inherited among them.
func RecommendedScripts() ScriptSet { return recommendedScripts[0] }

// An IdentifierType is a set of values of the property Identifier_Type
// (UTS #39 §3.1).
type IdentifierType uint16

// The values of Identifier_Type.
const (
	Recommended IdentifierType = 1 << iota
	Inclusion
	LimitedUse
	UncommonUse
	Technical
	Obsolete
	Exclusion
	NotXID
	NotNFKC
	DefaultIgnorable
	Deprecated
	NotCharacter
)

// Allowed reports Identifier_Status Allowed: whether a character of these
// types is in the general security profile (UTS #39 §3.1).
func (t IdentifierType) Allowed() bool { return t&(Recommended|Inclusion) != 0 }

// An Identity has the properties of a code point that UTS #39 needs, as one value from one table
// lookup.
type Identity uint16

// IdentityOf returns the identity of r. A rune that is not a code point has that of
// an unassigned one.
func IdentityOf(r rune) Identity {
	if uint32(r) > 0x10ffff {
		r = 0x10ffff
	}
	// The last run that starts at r or before.
	key := uint32(r)<<classBits | (1<<classBits - 1)
	lo, hi := 0, len(identityRuns)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if identityRuns[mid] <= key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return Identity(identityRuns[lo-1] & (1<<classBits - 1))
}

// classBits is the number of low bits of a run that hold the class, as in
// gen/scripts.go.
const classBits = 11

// Script returns the property Script.
func (id Identity) Script() Script { return Script(classScripts[id]) }

// Extensions returns the property Script_Extensions (UAX #24): the scripts
// the character is used with. It is {Common} or {Inherited} where it can be
// used with any.
func (id Identity) Extensions() ScriptSet { return scriptSets[classExtensions[id]] }

// Types returns the property Identifier_Type (UTS #39 §3.1).
func (id Identity) Types() IdentifierType { return IdentifierType(classTypes[id]) }

// Allowed reports the property Identifier_Status (UTS #39 §3.1).
func (id Identity) Allowed() bool { return id.Types().Allowed() }

// ScriptOf returns the property Script of r (UAX #24).
func ScriptOf(r rune) Script { return IdentityOf(r).Script() }

// DigitZero returns the digit zero of the decimal system that the digit r
// belongs to, or 0 if r is not a decimal digit (General_Category Nd).
func DigitZero(r rune) rune {
	if r < 0x80 {
		if '0' <= r && r <= '9' {
			return '0'
		}
		return 0
	}
	lo, hi := 0, len(digitZeros)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if digitZeros[mid] <= uint32(r) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if zero := rune(digitZeros[lo-1]); r-zero < 10 {
		return zero
	}
	return 0
}
