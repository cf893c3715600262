// Package swar (SIMD within a register) looks at a text eight octets at a time:
// most octets of a message are plain ASCII and need no look of their own.
package swar

import "math/bits"

// A Word is eight octets of a text, the first one lowest.
type Word uint64

// Size is how many octets a Word has.
const Size = 8

const (
	ones  Word = 0x0101010101010101
	highs Word = 0x8080808080808080
)

// Load returns the first eight octets of s.
func Load[T string | []byte](s T) Word {
	_ = s[Size-1]
	return Word(s[0]) | Word(s[1])<<8 | Word(s[2])<<16 | Word(s[3])<<24 |
		Word(s[4])<<32 | Word(s[5])<<40 | Word(s[6])<<48 | Word(s[7])<<56
}

// A Mask marks octets of a Word by their highest bit. The lowest octet that is
// marked is one that was asked for; those above it may be others.
type Mask Word

// First returns the index of the lowest octet that is marked, or Size.
func (m Mask) First() int { return bits.TrailingZeros64(uint64(m)) / 8 }

// NotPrintable marks the octets that are no printable ASCII (SP to "~").
func (w Word) NotPrintable() Mask { return Mask((w | (w + ones) | (w-ones*' ')&^w) & highs) }

// Equal marks the octets that are c.
func (w Word) Equal(c byte) Mask {
	w ^= ones * Word(c)
	return Mask((w - ones) &^ w & highs)
}

// With returns w with the given bits set in each octet, so that octets which
// differ in these alone are equal.
func (w Word) With(bits byte) Word { return w | ones*Word(bits) }

// ASCII returns how many octets at the start of s are below 128.
func ASCII[T string | []byte](s T) int {
	i := 0
	for ; i+Size <= len(s); i += Size {
		if marked := Mask(Load(s[i:i+Size]) & highs); marked != 0 {
			return i + marked.First()
		}
	}
	for i < len(s) && s[i] < 0x80 {
		i++
	}
	return i
}

// Printable returns how many octets at the start of s are printable ASCII (SP to
// "~") other than but, which may be 0 for none.
func Printable[T string | []byte](s T, but byte) int {
	i := 0
	for ; i+Size <= len(s); i += Size {
		w := Load(s[i : i+Size])
		if marked := w.NotPrintable() | w.Equal(but); marked != 0 {
			return i + marked.First()
		}
	}
	for i < len(s) && ' ' <= s[i] && s[i] <= '~' && s[i] != but {
		i++
	}
	return i
}
