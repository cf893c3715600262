package ucd

import "slices"

// A Confusable is a class of characters that look alike (UTS #39 §4): the characters that
// confusables.txt maps to one prototype, and the prototype itself. The zero value is not a class.
type Confusable uint16

// ConfusableOf returns the class of r, or 0 if no other character or sequence looks like r in the
// data.
func ConfusableOf(r rune) Confusable {
	switch {
	case r < 0 || r > 0x10ffff:
		return 0
	case r > 0xffff:
		if i, ok := slices.BinarySearch(confusableAstralKeys[:], uint32(r)); ok {
			return Confusable(confusableClasses[len(confusableKeys)+i]) + 1
		}
	default:
		if i, ok := slices.BinarySearch(confusableKeys[:], uint16(r)); ok {
			return Confusable(confusableClasses[i]) + 1
		}
	}
	return 0
}

// Prototype returns the characters that stand for the class in a skeleton.
// c must not be 0.
func (c Confusable) Prototype() string {
	return prototypes[prototypeStarts[c-1]:prototypeStarts[c]]
}

// Scripts returns the scripts in which a character, or the prototype, looks
// like this and is allowed in identifiers and valid in hosts: the material of
// whole-script confusables (UTS #39 §4.1). Common and Inherited are not in
// the set. c must not be 0.
func (c Confusable) Scripts() ScriptSet { return prototypeSets[prototypeScripts[c-1]] }
