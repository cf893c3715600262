package uts39_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/policy/uts39"
)

func TestLevelOf(t *testing.T) {
	tests := []struct {
		name, s string
		want    uts39.Level
	}{
		{"letters", "example", uts39.ASCIIOnly},
		{"ASCII outside the profile", "a b", uts39.ASCIIOnly},
		{"empty", "", uts39.ASCIIOnly},
		{"Latin", "bücher", uts39.SingleScriptOnly},
		{"Cyrillic", "пример", uts39.SingleScriptOnly},
		{"Cyrillic with digits and hyphen", "24-часа", uts39.SingleScriptOnly},
		{"Japanese", "食べ物カフェ", uts39.SingleScriptOnly},
		{"Korean with Han", "漢字로", uts39.SingleScriptOnly},
		{"Latin and Japanese", "jp-食べ物カフェ", uts39.HighlyRestrictive},
		{"Latin and Han", "abc中文", uts39.HighlyRestrictive},
		{"Latin and Korean", "k한국字", uts39.HighlyRestrictive},
		{"Latin, Han and bopomofo, which is of limited use", "aㄅ字", uts39.Unrestricted},
		{"Latin, hangul and kana", "a한ね", uts39.MinimallyRestrictive},
		{"Latin and Thai", "shopไทย", uts39.ModeratelyRestrictive},
		{"Latin and Arabic", "abcعرب", uts39.ModeratelyRestrictive},
		{"Latin and Armenian", "abcօ", uts39.ModeratelyRestrictive},
		{"Latin, Thai and Arabic", "aไب", uts39.MinimallyRestrictive},
		{"Latin and Cyrillic", "раypal", uts39.MinimallyRestrictive},
		{"Latin and Greek", "αpple", uts39.MinimallyRestrictive},
		{"Cyrillic and Greek", "пα", uts39.MinimallyRestrictive},
		{"Thai and Han", "ไ中", uts39.MinimallyRestrictive},
		{"a script of limited use", "ᏣᎳᎩ", uts39.Unrestricted},
		{"a technical letter", "ɡoogle", uts39.Unrestricted},
		{"a symbol", "i❤u", uts39.Unrestricted},
		{"a joiner", "नी\u200d", uts39.Unrestricted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := uts39.LevelOf(tt.s); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestMixture: the level by the scripts alone, without the identifier profile.
func TestMixture(t *testing.T) {
	tests := []struct {
		name, s string
		want    uts39.Level
	}{
		{"Cherokee", "ᏣᎳᎩ", uts39.SingleScriptOnly},
		{"Latin and Cherokee", "aᏣ", uts39.MinimallyRestrictive},
		{"joiner", "नी\u200dर", uts39.SingleScriptOnly},
		{"symbol", "i❤u", uts39.SingleScriptOnly},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := uts39.Analyze(tt.s).Mixture(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMixedNumbers(t *testing.T) {
	tests := []struct {
		name, s string
		want    bool
	}{
		{"none", "example", false},
		{"one ASCII system", "2026", false},
		{"one system", "२०२६", false},
		{"Bengali four looks like 8", "8৪", true},
		{"Arabic-Indic and extended", "١۲", true},
		{"with letters between", "a1b٢", true},
		{"Han numerals are letters", "三3", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := uts39.Analyze(tt.s).MixedNumbers; got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestAnalyzeAllocates(t *testing.T) {
	for _, s := range []string{"example", "食べ物カフェ-abc", "раypal"} {
		if n := testing.AllocsPerRun(10, func() { uts39.Analyze(s) }); n != 0 {
			t.Errorf("%s: %g allocations", s, n)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for _, s := range []string{"example", "университет", "食べ物カフェ"} {
		b.Run(s, func(b *testing.B) {
			for b.Loop() {
				uts39.Analyze(s)
			}
		})
	}
}
