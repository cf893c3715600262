package engine

import "math/bits"

// innerDot returns the offset of the first full stop in text[i:limit] that no space, control or end of
// the text follows, or limit. It reads 32 bytes at a time without a branch for each full stop: most end
// a sentence, and a call of strings.IndexByte for each takes twice the time.
func innerDot(text string, i, limit int) int {
	for i < limit && i+33 <= len(text) {
		s := text[i : i+33]
		a, b := dotsInside(word(s), word(s[1:])), dotsInside(word(s[8:]), word(s[9:]))
		c, d := dotsInside(word(s[16:]), word(s[17:])), dotsInside(word(s[24:]), word(s[25:]))
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
	lowBits  = 0x0101010101010101 // the lowest bit of each byte
	highBits = lowBits << 7       // the highest bit of each byte
)

// dotsInside sets the highest bit of each byte of w that is a full stop and whose next byte, the one in
// next, is above ' '. It may also set that bit for other bytes after a full stop.
func dotsInside(w, next uint64) uint64 {
	w ^= '.' * lowBits
	return (w - lowBits) &^ w & ((next + (0x7f-' ')*lowBits) | next)
}

// word returns the first eight bytes of s, the first one in the lowest bits.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
