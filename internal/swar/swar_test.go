package swar

import (
	"math/rand/v2"
	"testing"
)

// TestPrefixes compares with loops over octets, for every octet in every place
// among others.
func TestPrefixes(t *testing.T) {
	want := func(s []byte, but byte) int {
		for i, c := range s {
			if c < ' ' || c > '~' || c == but {
				return i
			}
		}
		return len(s)
	}
	wantBelow := func(s []byte, limit byte) int {
		for i, c := range s {
			if c >= limit {
				return i
			}
		}
		return len(s)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for c := range 256 {
		for length := range 3*Size + 1 {
			for place := range length {
				s := make([]byte, length)
				for i := range s {
					s[i] = byte(' ' + random.IntN('~'-' '+1))
					if i > place {
						s[i] = byte(random.IntN(256))
					}
				}
				s[place] = byte(c)
				if got := ASCII(s); got != wantBelow(s, 0x80) || got != ASCII(string(s)) {
					t.Fatalf("%d octets of %q, want %d", got, s, wantBelow(s, 0x80))
				}
				for _, limit := range []byte{0x80, 0x7f, s[place] & 0x7f, 0} {
					if got := Below(s, limit); got != wantBelow(s, limit) {
						t.Fatalf("%d octets of %q below %#x, want %d", got, s, limit, wantBelow(s, limit))
					}
				}
				for _, but := range []byte{0, '=', s[place] & 0x7f} {
					if got := Printable(s, but); got != want(s, but) || got != Printable(string(s), but) {
						t.Fatalf("%d octets of %q without %q, want %d", got, s, but, want(s, but))
					}
				}
			}
		}
	}
}

// TestMasks compares masks, as far as they are right, with what the octets are.
func TestMasks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1 << 16 {
		var s [Size]byte
		base := random.IntN(256)
		for i := range s {
			s[i] = byte(base + random.IntN(4)) // neighbours
		}
		c := byte(base+1) & 0x7f
		w := Load(s[:])
		for name, test := range map[string]struct {
			mask Mask
			is   func(byte) bool
		}{
			"NotPrintable": {w.NotPrintable(), func(o byte) bool { return o < ' ' || o > '~' }},
			"Equal":        {w.Equal(c), func(o byte) bool { return o == c }},
			"With":         {w.With(3).Equal(c | 3), func(o byte) bool { return o|3 == c|3 }},
		} {
			for i, octet := range s {
				if octet > 0x7f {
					break
				}
				if marked := test.mask>>(8*i)&0x80 != 0; marked != test.is(octet) {
					t.Fatalf("%s: %t for octet %d of %x, asked for %x", name, marked, i, s, c)
				}
			}
		}
		if w := Load(s[:]); s[0] > 0x7f && w.NotPrintable().First() != 0 {
			t.Fatalf("%x is printable", s)
		}
	}
}

func BenchmarkPrintable(b *testing.B) {
	text := make([]byte, 4096)
	for i := range text {
		text[i] = byte('!' + i%64)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if Printable(text, 0) != len(text) {
			b.Fatal("not printable")
		}
	}
}
