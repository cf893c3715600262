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
	wantASCII := func(s []byte) int {
		for i, c := range s {
			if c > 0x7f {
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
				if got := ASCII(s); got != wantASCII(s) || got != ASCII(string(s)) {
					t.Fatalf("%d octets of %q, want %d", got, s, wantASCII(s))
				}
				for _, but := range []byte{0, '=', s[place]} {
					if got := Printable(s, but); got != want(s, but) || got != Printable(string(s), but) {
						t.Fatalf("%d octets of %q without %q, want %d", got, s, but, want(s, but))
					}
				}
			}
		}
	}
}

// TestEqual does the same for the octet that is looked for.
func TestEqual(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1 << 16 {
		var s [Size]byte
		first := Size
		for i := range s {
			s[i] = byte(random.IntN(4)) + 0x7e // neighbours, and on both sides of 0x80
		}
		for i := range s {
			if s[i] == 0x80 {
				first = i
				break
			}
		}
		if got := Load(s[:]).Equal(0x80).First(); got != first {
			t.Fatalf("%d in %x, want %d", got, s, first)
		}
		first = Size
		for i := range s {
			if s[i]|1 == 0x7f {
				first = i
				break
			}
		}
		if got := Load(s[:]).With(1).Equal(0x7f).First(); got != first {
			t.Fatalf("%d in %x, want %d", got, s, first)
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
