package ucd

// A LinkTerm is a value of the property Link_Term (UTS #58 §3.4.1): what a
// character does to the link it would be part of.
type LinkTerm uint8

// The values of Link_Term. Hard is the value of all code points that the
// data does not list.
const (
	Hard    LinkTerm = iota // ends the link before it
	Soft                    // ends the link if only Soft characters follow up to a Hard one or the end
	Close                   // part of the link if it closes the latest open bracket, otherwise Hard
	Open                    // opens a bracket
	Include                 // part of the link
)

// String returns the value's name in the data.
func (t LinkTerm) String() string {
	switch t {
	case Soft:
		return "Soft"
	case Close:
		return "Close"
	case Open:
		return "Open"
	case Include:
		return "Include"
	}
	return "Hard"
}

// A HostClass says what UTS #46 does with a character of a domain name,
// processed non-transitionally and with UseSTD3ASCIIRules.
type HostClass uint8

// The host classes. HostSeparator are the four label separators, U+002E,
// U+3002, U+FF0E and U+FF61 (UTS #46 §2.3). HostPunctuation and HostSymbol
// do not change under UTS #46, so browsers accept them. IDNA2008 does not allow
// them in a label: curly quotes and dashes; emoji and arrows.
const (
	HostDisallowed  HostClass = iota // not allowed in a domain name, or mapped to such characters
	HostValid                        // is allowed and does not change
	HostMapped                       // is replaced by other characters
	HostIgnored                      // is removed
	HostSeparator                    // ends a label
	HostPunctuation                  // General_Category P, Z or C, not in IDNA2008
	HostSymbol                       // any other character that is not in IDNA2008
)

// The bits of a byte of the scan table, as in gen/scan.go.
const (
	termMask  = 0b0000_0111
	emailBit  = 0b0000_1000
	hostMask  = 0b0111_0000
	hostShift = 4
	spaceless = 0b1000_0000
)

// Scan has the properties of a code point that the detection of links needs, as one value from one
// table lookup.
type Scan uint8

// ScanOf returns the properties of r. A rune that is not a code point, such as a
// negative number, has none, like an unassigned code point.
func ScanOf(r rune) Scan {
	if uint32(r) > 0x10ffff {
		return 0
	}
	return Scan(scanBlock[int(scanIndex[r>>8])<<8|int(r&0xff)])
}

// LinkTerm returns the property Link_Term.
func (s Scan) LinkTerm() LinkTerm { return LinkTerm(s & termMask) }

// LinkEmail returns the property Link_Email.
func (s Scan) LinkEmail() bool { return s&emailBit != 0 }

// Host returns the host class.
func (s Scan) Host() HostClass { return HostClass(s & hostMask >> hostShift) }

// Spaceless reports whether r may be part of a host and is of a script that
// is written next to foreign words without a space: Han, kana, Thai and the
// like (Line_Break ID, CJ, SA), and Hangul, whose particles follow a word
// directly (H2, H3, JL, JV, JT).
func (s Scan) Spaceless() bool { return s&spaceless != 0 }

// LinkTermOf returns Link_Term of r (UTS #58 §3.4.1).
func LinkTermOf(r rune) LinkTerm { return ScanOf(r).LinkTerm() }

// LinkEmail reports Link_Email of r (UTS #58 §5.1): whether r may be part of
// the unquoted local-part of an e-mail address.
func LinkEmail(r rune) bool { return ScanOf(r).LinkEmail() }

// HostClassOf returns the host class of r (UTS #46 §5).
func HostClassOf(r rune) HostClass { return ScanOf(r).Host() }

// LinkBracket returns Link_Bracket of r (UTS #58 §3.4.2): for a character
// with Link_Term Close the opening bracket it pairs with, else 0.
func LinkBracket(r rune) rune {
	switch r {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	case '>':
		return '<'
	}
	if r < 0x80 || r > 0xffff {
		return 0
	}
	lo, hi := 0, len(closingBrackets)
	for lo < hi {
		mid := (lo + hi) / 2
		if closingBrackets[mid] < uint16(r) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(closingBrackets) && closingBrackets[lo] == uint16(r) {
		return rune(openingBrackets[lo])
	}
	return 0
}
