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

// A Mask marks octets of a Word by their highest bit; the other bits mean nothing.
// From the lowest octet that is no ASCII on, which NotPrintable marks, what else is
// marked may be wrong.
type Mask Word

// None reports whether no octet is marked.
func (m Mask) None() bool { return Word(m)&highs == 0 }

// First returns the index of the lowest octet that is marked, or Size.
func (m Mask) First() int { return bits.TrailingZeros64(uint64(Word(m)&highs)) / 8 }

// NotPrintable marks the octets that are no printable ASCII (SP to "~").
func (w Word) NotPrintable() Mask { return Mask(w | (w + ones) | ^(w + ones*(0x80-' '))) }

// Equal marks the octets that are c, which is ASCII.
func (w Word) Equal(c byte) Mask { return Mask(^((w ^ ones*Word(c)) + ones*0x7f)) }

// With returns w with the given bits set in each octet, so that octets which
// differ in these alone are equal.
func (w Word) With(bits byte) Word { return w | ones*Word(bits) }

// ASCII returns how many octets at the start of s are below 128.
func ASCII[T string | []byte](s T) int { return Below(s, 0x80) }

// Below returns how many octets at the start of s are below limit, which is 128 at
// most.
func Below[T string | []byte](s T, limit byte) int {
	add := ones * Word(0x80-limit)
	marked := func(i int) Mask {
		w := Load(s[i : i+Size])
		return Mask(w | (w + add))
	}
	i := 0
	for i+2*Size <= len(s) && (marked(i) | marked(i+Size)).None() {
		i += 2 * Size
	}
	for ; i+Size <= len(s); i += Size {
		if m := marked(i); !m.None() {
			return i + m.First()
		}
	}
	for i < len(s) && s[i] < limit {
		i++
	}
	return i
}

// Printable returns how many octets at the start of s are printable ASCII (SP to
// "~") other than but, which is ASCII and may be 0 for none.
func Printable[T string | []byte](s T, but byte) int {
	marked := func(i int) Mask {
		w := Load(s[i : i+Size])
		return w.NotPrintable() | w.Equal(but)
	}
	i := 0
	for i+2*Size <= len(s) && (marked(i) | marked(i+Size)).None() {
		i += 2 * Size
	}
	for ; i+Size <= len(s); i += Size {
		if m := marked(i); !m.None() {
			return i + m.First()
		}
	}
	for i < len(s) && ' ' <= s[i] && s[i] <= '~' && s[i] != but {
		i++
	}
	return i
}
