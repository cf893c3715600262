// Package ascii classifies ASCII characters and reads hexadecimal digits. Package unicode of the
// standard library also accepts non-ASCII letters and digits, which the grammars of mail and URLs
// do not.
package ascii

import (
	"math/bits"
	"strings"
)

// UpperHex are the hexadecimal digits by value, as escapes are written
// (RFC 3986 §2.1, RFC 2045 §6.7).
const UpperHex = "0123456789ABCDEF"

// Is reports whether all bytes of s are below 128.
func Is[T string | []byte](s T) bool { return Prefix(s) == len(s) }

// Prefix returns how many bytes at the start of s are below 128. Callers pass whole messages, so it
// reads 64 bytes at a time, which takes a tenth of the time of a byte by byte scan.
func Prefix[T string | []byte](s T) int {
	i := 0
	for ; i+64 <= len(s); i += 64 {
		p := s[i : i+64]
		if (word(p)|word(p[8:])|word(p[16:])|word(p[24:])|word(p[32:])|word(p[40:])|word(p[48:])|word(p[56:]))&high != 0 {
			break
		}
	}
	for i+8 <= len(s) && word(s[i:])&high == 0 {
		i += 8
	}
	for i < len(s) && s[i]&0x80 == 0 {
		i++
	}
	return i
}

// Printable returns how many bytes at the start of s are printable ASCII, from space to
// "~". It reads sixteen bytes at a time, since most of a message is such text.
func Printable[T string | []byte](s T) int {
	i := 0
	for ; i+16 <= len(s); i += 16 {
		v, w := unprintable(word(s[i:i+8])), unprintable(word(s[i+8:i+16]))
		if (v|w)&high == 0 {
			continue
		}
		if v &= high; v != 0 {
			return i + bits.TrailingZeros64(v)/8
		}
		return i + 8 + bits.TrailingZeros64(w&high)/8
	}
	for i < len(s) && ' ' <= s[i] && s[i] <= '~' {
		i++
	}
	return i
}

// Lines returns how many bytes at the start of b are lines of text: printable ASCII, tabs,
// form feeds, LF, and CR before LF. It reads 32 bytes at a time, and does not call [Printable]: a call for
// each line takes as long as the line.
func Lines(b []byte) (n int) {
	for n < len(b) {
		if n+32 <= len(b) {
			p := b[n : n+32]
			v, w := unprintable(word(p)), unprintable(word(p[8:]))
			if (v|w)&high == 0 {
				v, w = unprintable(word(p[16:])), unprintable(word(p[24:]))
				if (v|w)&high == 0 {
					n += 32
					continue
				}
				n += 16
			}
			if v &= high; v == 0 { // both words are equally likely, so the compiler's conditional move is faster than a branch
				v, n = w&high, n+8
			}
			n += bits.TrailingZeros64(v) / 8
		} else if ' ' <= b[n] && b[n] <= '~' {
			n++
			continue
		}
		size := lineControl(b[n:])
		if size == 0 {
			break
		}
		n += size
	}
	return n
}

// lineControl returns the length of a control of text at the start of b, or 0.
func lineControl(b []byte) int {
	switch {
	case b[0] == '\r' && len(b) > 1 && b[1] == '\n':
		return 2
	case b[0] == '\n' || b[0] == '\t' || b[0] == '\f':
		return 1
	}
	return 0
}

// SingleSpaced returns how many bytes at the start of s are printable ASCII, up to the
// second of two spaces. It reads eight bytes at a time, as [Printable] does.
func SingleSpaced(s string) int {
	i, before := 0, uint64(0) // before has the highest bit of its first byte set if s[i-1] is a space
	for ; i+8 <= len(s); i += 8 {
		w := word(s[i : i+8])
		spaces := zeros(w ^ ones*' ')
		if stop := (unprintable(w) | spaces&(spaces<<8|before)) & high; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		before = spaces >> 56
	}
	for i < len(s) && ' ' <= s[i] && s[i] <= '~' && (s[i] != ' ' || i == 0 || s[i-1] != ' ') {
		i++
	}
	return i
}

// zeros has the highest bits of the bytes of w that are zero.
func zeros(w uint64) uint64 { return ^((w&^high + ^uint64(high)) | w) & high }

// unprintable sets the highest bits of the bytes of w that are not printable. The result is right
// up to and including the first such byte; the bits after it may be wrong.
func unprintable(w uint64) uint64 {
	return w | (w - ones*' ') | (w + ones)
}

// high are the highest bits of the eight bytes of a word, ones the lowest.
const (
	high = 0x8080808080808080
	ones = high / 0x80
)

// word returns eight bytes as a number. The compiler makes one load of it.
func word[T string | []byte](s T) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// IsLetter reports whether c is an ASCII letter.
func IsLetter[C byte | rune](c C) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is an ASCII digit.
func IsDigit[C byte | rune](c C) bool { return '0' <= c && c <= '9' }

// IsAlphanumeric reports whether c is an ASCII letter or digit.
func IsAlphanumeric[C byte | rune](c C) bool { return IsLetter(c) || IsDigit(c) }

// hexValues are the values of the hexadecimal digits, -1 for other bytes.
var hexValues = func() (values [256]int8) {
	for c := range values {
		values[c] = -1
	}
	for value, c := range []byte(UpperHex) {
		values[c] = int8(value)
		values[c|0x20] = int8(value) // also a no-op for the digits
	}
	return values
}()

// IsHex reports whether c is a hexadecimal digit, in either case.
func IsHex(c byte) bool { return hexValues[c] >= 0 }

// HexByte returns the byte that two hexadecimal digits stand for. It returns false if one of them
// is not a hexadecimal digit.
func HexByte(high, low byte) (byte, bool) {
	h, l := hexValues[high], hexValues[low]
	return byte(h)<<4 | byte(l), h|l >= 0
}

// EqualFold reports whether s and name, which is ASCII, are equal in any letter case. Unlike
// in [strings.EqualFold], "ſ" and the Kelvin sign do not match "s" and "k": they take more
// bytes.
func EqualFold(s, name string) bool { return len(s) == len(name) && HasPrefixFold(s, name) }

// HasPrefixFold reports whether s begins with prefix, which is ASCII, in any letter case,
// as [EqualFold] does.
func HasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && (prefix == "" || (s[0]^prefix[0])&^0x20 == 0 && strings.EqualFold(s[:len(prefix)], prefix))
}

// HasSuffixFold is [HasPrefixFold] for the end of s.
func HasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// IndexFold returns the index of the first name, which is ASCII, in s in any letter case, or -1.
// Searching a copy of s in lower case would not do: some characters have another length there, so
// indexes differ.
func IndexFold[T string | []byte](s T, name string) int {
	if name == "" {
		return 0
	}
	first := name[0] | 0x20
	for i := 0; i+len(name) <= len(s); i++ {
		if s[i]|0x20 == first && EqualFold(string(s[i:i+len(name)]), name) {
			return i
		}
	}
	return -1
}
