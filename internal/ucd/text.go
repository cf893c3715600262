package ucd

// The bits of a byte of the text table, as in gen/text.go.
const (
	ignorableBit   = 0b0000_0001
	bidiControlBit = 0b0000_0010
	unassignedBit  = 0b0000_0100
	markBit        = 0b0000_1000
	whiteSpaceBit  = 0b0001_0000
	viramaBit      = 0b0010_0000
	lookalikeBit   = 0b0100_0000
	newBit         = 0b1000_0000
)

// text returns the byte of the text table for r. A rune that is not a code point
// counts as unassigned.
func text(r rune) uint8 {
	if uint32(r) > 0x10ffff {
		return unassignedBit
	}
	return textBlock[int(textIndex[r>>8])<<8|int(r&0xff)]
}

// IsDefaultIgnorable returns the property Default_Ignorable_Code_Point: r is not displayed unless
// it is specially supported (UAX #44).
func IsDefaultIgnorable(r rune) bool { return text(r)&ignorableBit != 0 }

// IsBidiControl returns the property Bidi_Control: r reorders the text around it when displayed
// (UAX #9).
func IsBidiControl(r rune) bool { return text(r)&bidiControlBit != 0 }

// IsUnassigned reports whether r has no agreed meaning as a character:
// General_Category Cn, which includes noncharacters, Co (private use) or Cs
// (surrogates).
func IsUnassigned(r rune) bool { return text(r)&unassignedBit != 0 }

// IsUnknownToIDNA reports whether r is a character of [UnicodeVersion] but not of
// [IDNAVersion]: IDNA and normalisation do not know what r is.
func IsUnknownToIDNA(r rune) bool { return text(r)&newBit != 0 }

// IsMark reports whether r is a combining mark: General_Category Mn, Mc or Me.
func IsMark(r rune) bool { return text(r)&markBit != 0 }

// IsWhiteSpace reports the property White_Space.
func IsWhiteSpace(r rune) bool { return text(r)&whiteSpaceBit != 0 }

// IsVirama reports Canonical_Combining_Class Virama: after r ZWJ and ZWNJ are
// allowed in a label (RFC 5892 appendix A.1 and A.2).
func IsVirama(r rune) bool { return text(r)&viramaBit != 0 }

// IsSyntaxLookalike reports whether r may be taken for the syntax of a URL: r is not ASCII, and
// what it looks like (UTS #39 §4) or what compatibility normalisation makes of it holds one of
// / \ ? # : @ & = % + ; or is one or two full stops, and is not a vulgar fraction. Letters and
// digits of living scripts are among them, such as U+30CE and U+0660.
func IsSyntaxLookalike(r rune) bool { return text(r)&lookalikeBit != 0 }
