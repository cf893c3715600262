package engine

import "math/bits"

// innerDot returns the offset of the first full stop in text[i:limit] that no space, control or end of
// the text follows, or limit. It reads 32 bytes at a time without a branch for each full stop: most end
// a sentence, and a call of strings.IndexByte for each takes twice the time. ASCII text takes fewer
// instructions.
func innerDot(text string, i, limit int, isASCII bool) int {
	for i < limit && i+33 <= len(text) {
		s := text[i : i+33]
		a, b, c, d := word(s)^dots, word(s[8:])^dots, word(s[16:])^dots, word(s[24:])^dots
		e, f, g, h := word(s[1:]), word(s[9:]), word(s[17:]), word(s[25:])
		if isASCII {
			a, b, c, d = (a-lowBits)&(e+aboveSpace), (b-lowBits)&(f+aboveSpace), (c-lowBits)&(g+aboveSpace), (d-lowBits)&(h+aboveSpace)
		} else {
			a, b = (a-lowBits)&^a&(e+aboveSpace|e), (b-lowBits)&^b&(f+aboveSpace|f)
			c, d = (c-lowBits)&^c&(g+aboveSpace|g), (d-lowBits)&^d&(h+aboveSpace|h)
		}
		// The highest bit of a byte is now set for a full stop inside a text. It may also be set for a
		// byte behind a full stop, or behind one that is not ASCII.
		if (a|b|c|d)&highBits == 0 {
			i += 32
			continue
		}
		switch {
		case a&highBits != 0:
		case b&highBits != 0:
			a, i = b, i+8
		case c&highBits != 0:
			a, i = c, i+16
		default:
			a, i = d, i+24
		}
		if i += bits.TrailingZeros64(a&highBits) / 8; i >= limit {
			return limit
		}
		if text[i] == '.' {
			return i
		}
		i++
	}
	for ; i < limit; i++ {
		if text[i] == '.' && i+1 < len(text) && text[i+1] > ' ' {
			return i
		}
	}
	return limit
}

const (
	lowBits    = 0x0101010101010101         // the lowest bit of each byte
	highBits   = 0x80 * lowBits             // the highest bit of each byte
	dots       = '.' * lowBits              // eight full stops
	aboveSpace = (0x80 - ' ' - 1) * lowBits // sets the highest bit of each byte above ' '
)

// word returns the first eight bytes of s, the first one in the lowest bits.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
