package main

import (
	"errors"
	"strings"
)

// The bits of a byte of the text table, as in text.go of package ucd.
const (
	ignorableBit   = 0b0000_0001 // Default_Ignorable_Code_Point
	bidiControlBit = 0b0000_0010 // Bidi_Control
	unassignedBit  = 0b0000_0100 // General_Category Cn, Co or Cs
	markBit        = 0b0000_1000 // General_Category M
	whiteSpaceBit  = 0b0001_0000 // White_Space
	viramaBit      = 0b0010_0000 // Canonical_Combining_Class Virama (9)
	lookalikeBit   = 0b0100_0000 // taken for the syntax of a URL
	newBit         = 0b1000_0000 // assigned, but not in the version of IDNA
)

// writeText writes the properties of code points that readable forms need.
func writeText(d release, out *source) error {
	values := make([]uint8, runes)
	for i := range values {
		values[i] = unassignedBit
	}
	err := errors.Join(
		d.characters(func(r rune, category, ccc string) {
			values[r] |= newBit
			if category != "Co" && category != "Cs" {
				values[r] &^= unassignedBit
			}
			if strings.HasPrefix(category, "M") {
				values[r] |= markBit
			}
			if ccc == "9" {
				values[r] |= viramaBit
			}
		}),
		d.idna.characters(func(r rune, _, _ string) { values[r] &^= newBit }),
		d.ranges("ucd/DerivedCoreProperties.txt", func(lo, hi rune, fields []string) error {
			if fields[0] != "Default_Ignorable_Code_Point" {
				return nil
			}
			return set(values, lo, hi, ignorableBit)
		}),
		d.ranges("ucd/PropList.txt", func(lo, hi rune, fields []string) error {
			switch fields[0] {
			case "Bidi_Control":
				return set(values, lo, hi, bidiControlBit)
			case "White_Space":
				return set(values, lo, hi, whiteSpaceBit)
			}
			return nil
		}),
		d.lookalikes(func(r rune) { values[r] |= lookalikeBit }),
	)
	if err != nil {
		return err
	}
	out.twoStage("text", "text properties", values)
	return nil
}
