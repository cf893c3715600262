package uts39_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

func TestConfusable(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"Cyrillic letters", "раураӏ", "paypal", true},
		{"one letter", "pаypal", "paypal", true},
		{"digit one", "paypa1", "paypal", true},
		{"rn", "rnicrosoft", "microsoft", true},
		{"Greek and Coptic and Latin", "ν", "v", true},
		{"composed and decomposed", "é", "e\u0301", true},
		{"ignorable", "pay\u200bpal", "paypal", true},
		{"mathematical", "𝐩aypal", "paypal", true},
		{"another letter", "paypel", "paypal", false},
		{"an accent", "páypal", "paypal", false},
		{"upper case is another shape", "PAYPAL", "paypal", false},
		{"itself", "例え", "例え", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := uts39.Skeleton(tt.a) == uts39.Skeleton(tt.b); got != tt.want {
				t.Errorf("got %t: %+q, %+q", got, uts39.Skeleton(tt.a), uts39.Skeleton(tt.b))
			}
		})
	}
}

// TestSkeletonIdempotent: the skeleton of a skeleton is itself (UTS #39 §4),
// for every character.
func TestSkeletonIdempotent(t *testing.T) {
	for r := rune(0); r <= 0x10ffff; r++ {
		once := uts39.Skeleton(string(r))
		twice := uts39.Skeleton(once)
		if twice != once {
			t.Errorf("%U: %+q, then %+q", r, once, twice)
		}
	}
}

// TestReadsASCII compares ReadsASCII with the skeleton of every character, alone and beside others.
func TestReadsASCII(t *testing.T) {
	check := func(s string) {
		skeleton := uts39.Skeleton(s)
		ascii := strings.IndexFunc(skeleton, func(r rune) bool { return r > 0x7f }) < 0
		if got := uts39.ReadsASCII(s); got != ascii {
			t.Errorf("%+q: %t, the skeleton is %+q", s, got, skeleton)
		}
	}
	for r := rune(0); r <= 0x10ffff; r++ {
		s := string(r)
		check(s)
		check("o" + s + "\u0301x")
		check("\u0338" + s + "\u1161" + s)
	}
	for _, s := range []string{"", "\xff", "a\xe0\xa4", "раураӏ", "раураl\u200b", "сор-24%"} {
		check(s)
	}
}

func TestWholeScriptConfusables(t *testing.T) {
	tests := []struct {
		name, s string
		has     []ucd.Script
		empty   bool
	}{
		{"Cyrillic that looks Latin", "раураӏ", []ucd.Script{ucd.ScriptLatn}, false},
		{"Cyrillic scope", "ѕсоре", []ucd.Script{ucd.ScriptLatn}, false},
		{"Latin that looks Cyrillic", "scope", []ucd.Script{ucd.ScriptCyrl}, false},
		{"with digits", "сор-24", []ucd.Script{ucd.ScriptLatn}, false},
		{"Cyrillic that does not", "пример", nil, true},
		{"Latin that does not", "lfq", nil, true},
		{"mixed", "pаypal", nil, true},
		{"digits", "123", nil, true},
		{"Chinese", "中文网", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := uts39.WholeScriptConfusables(tt.s)
			if got.IsEmpty() != tt.empty {
				t.Errorf("got %s", codes(got))
			}
			for _, s := range tt.has {
				if !got.Has(s) {
					t.Errorf("%s is missing from %s", s, codes(got))
				}
			}
		})
	}
}

func BenchmarkSkeleton(b *testing.B) {
	var buf [256]byte
	for _, s := range []string{"example", "университет", "食べ物カフェ"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				uts39.AppendSkeleton(buf[:0], s)
			}
		})
	}
}
