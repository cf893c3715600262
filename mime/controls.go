package mime

import (
	"encoding/binary"
	"math/bits"
)

// c1 is the first byte of C1 controls in UTF-8. Some letters begin with it, too.
const c1 = 0xC2

// withoutControls returns how many bytes at the start of a text are neither C0 controls, nor DEL, nor
// c1. It reads sixteen bytes at a time, because every text passes through it.
func withoutControls(text string) int {
	i := 0
	for ; i+16 <= len(text); i += 16 {
		b := []byte(text[i : i+16]) // on the stack
		v, w := controls(binary.LittleEndian.Uint64(b)), controls(binary.LittleEndian.Uint64(b[8:]))
		switch {
		case v != 0:
			return i + bits.TrailingZeros64(v)/8
		case w != 0:
			return i + 8 + bits.TrailingZeros64(w)/8
		}
	}
	for i < len(text) && text[i] >= ' ' && text[i] != 0x7f && text[i] != c1 {
		i++
	}
	return i
}

// controls returns a word whose lowest set bit marks the first byte that is a control or c1. Bits of
// later bytes may be wrong.
func controls(word uint64) uint64 {
	const ones = 0x0101010101010101
	c0 := (word - ones*' ') &^ word
	del, c1 := word^ones*0x7f, word^ones*c1
	return (c0 | (del-ones)&^del | (c1-ones)&^c1) & (ones << 7)
}
