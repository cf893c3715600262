package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The bits of a byte of the scan table. Package ucd has the same constants
// in scan.go; a test compares every code point with the data files.
const (
	termMask  = 0b0000_0111 // Link_Term, in the order of linkTerms
	emailBit  = 0b0000_1000 // Link_Email
	hostShift = 4           // host class, in the order of hostDisallowed and so on
	spaceless = 0b1000_0000 // Line_Break of scripts that attach to foreign words, and of a host
)

// linkTerms are the values of Link_Term in the order of ucd.LinkTerm.
var linkTerms = map[string]uint8{"Hard": 0, "Soft": 1, "Close": 2, "Open": 3, "Include": 4}

// The host classes in the order of ucd.HostClass.
const (
	hostDisallowed = iota
	hostValid
	hostMapped
	hostIgnored
	hostSeparator
	hostPunctuation
	hostSymbol
)

// labelSeparators are the dots of UTS #46 §2.3: FULL STOP, and what is
// mapped to it as a whole label separator.
var labelSeparators = []rune{'.', 0x3002, 0xff0e, 0xff61}

// writeScan writes the properties of code points that the scanner needs. They are in one table, so
// that one lookup gives all: Link_Term and Link_Email (UTS #58), the host class (UTS #46) and
// whether it is written next to foreign words without a space.
func writeScan(d release, out *source) error {
	values := make([]uint8, runes)
	categories := make([]string, runes)
	err := errors.Join(
		d.idna.characters(func(r rune, category, _ string) { categories[r] = category }),
		d.ranges("linkification/LinkTerm.txt", func(lo, hi rune, fields []string) error {
			v, ok := linkTerms[fields[0]]
			if !ok {
				return fmt.Errorf("unknown Link_Term %q", fields[0])
			}
			return set(values, lo, hi, v)
		}),
		d.ranges("linkification/LinkEmail.txt", func(lo, hi rune, _ []string) error {
			return set(values, lo, hi, emailBit)
		}),
		d.idna.ranges("idna/IdnaMappingTable.txt", func(lo, hi rune, fields []string) error {
			for r := lo; r <= hi; r++ {
				class, err := hostClass(r, fields, categories[r])
				if err != nil {
					return err
				}
				if err := set(values, r, r, class<<hostShift); err != nil {
					return err
				}
			}
			return nil
		}),
		d.ranges("ucd/LineBreak.txt", func(lo, hi rune, fields []string) error {
			switch fields[0] {
			case "ID", "CJ", "SA", "H2", "H3", "JL", "JV", "JT":
			default:
				return nil
			}
			for r := lo; r <= hi; r++ {
				if class := values[r] >> hostShift; class == hostValid || class == hostMapped {
					values[r] |= spaceless
				}
			}
			return nil
		}),
	)
	if err != nil {
		return err
	}
	out.twoStage("scan", "scan properties", values)
	return nil
}

// hostClass returns the class of a code point with the fields that
// IdnaMappingTable.txt gives it: status, mapping, IDNA2008 status.
func hostClass(r rune, fields []string, category string) (uint8, error) {
	if slices.Contains(labelSeparators, r) {
		return hostSeparator, nil
	}
	if r < 0x80 && !ldh(r) {
		return hostDisallowed, nil // UTS #46 §4.1, UseSTD3ASCIIRules
	}
	switch fields[0] {
	case "disallowed":
		return hostDisallowed, nil
	case "ignored":
		return hostIgnored, nil
	case "deviation":
		return hostValid, nil // non-transitional processing: UTS #46 §4 step 1
	case "mapped":
		for _, hex := range strings.Fields(fields[1]) {
			to, err := parseRune(hex)
			if err != nil {
				return 0, err
			}
			if to < 0x80 && !ldh(to) {
				return hostDisallowed, nil // STD3 refuses the result
			}
		}
		return hostMapped, nil
	case "valid":
		if len(fields) < 3 || fields[2] == "" {
			return hostValid, nil
		}
		switch category[0] { // not in IDNA2008: NV8 or XV8
		case 'P', 'Z', 'C':
			return hostPunctuation, nil
		}
		return hostSymbol, nil
	}
	return 0, fmt.Errorf("unknown status %q", fields[0])
}

// ldh reports whether r is an ASCII letter, digit or hyphen.
func ldh(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-'
}

// set adds bits to the values of lo to hi; bits that are there already mean
// that the data gives a value twice.
func set(values []uint8, lo, hi rune, bits uint8) error {
	for r := lo; r <= hi; r++ {
		if values[r]&bits != 0 {
			return fmt.Errorf("%U has two values", r)
		}
		values[r] |= bits
	}
	return nil
}

// writeBrackets writes Link_Bracket as pairs sorted by the closing bracket.
func writeBrackets(d release, out *source) error {
	var closing, opening []rune
	err := d.ranges("linkification/LinkBracket.txt", func(lo, hi rune, fields []string) error {
		open, err := parseRune(fields[0])
		if err != nil {
			return err
		}
		if lo != hi || len(closing) > 0 && closing[len(closing)-1] >= lo {
			return errors.New("not a sorted list of single code points")
		}
		if lo > 0xffff || open > 0xffff {
			return errors.New("a bracket outside the BMP: the table holds 16 bits")
		}
		closing = append(closing, lo)
		opening = append(opening, open)
		return nil
	})
	if err != nil {
		return err
	}
	out.words("closingBrackets", "closingBrackets are the characters with a Link_Bracket, sorted.", words(closing))
	out.words("openingBrackets", "openingBrackets are their Link_Bracket, in the same order.", words(opening))
	return nil
}

// words narrows code points of the BMP to 16 bits.
func words(rs []rune) []uint16 {
	w := make([]uint16, len(rs))
	for i, r := range rs {
		w[i] = uint16(r)
	}
	return w
}
