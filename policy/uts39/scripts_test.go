package uts39_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// codes writes a set of scripts as the standard's tables do.
func codes(s ucd.ScriptSet) string {
	if s == ucd.AllScripts() {
		return "ALL"
	}
	var list []string
	for _, sc := range s.Append(nil) {
		list = append(list, sc.Code())
	}
	return strings.Join(list, " ")
}

func TestAugmented(t *testing.T) {
	tests := []struct {
		name string
		char rune
		want string
	}{
		{"Latin", 'a', "Latn"},
		{"Han", '切', "Hanb Hani Jpan Kore"},
		{"hiragana", 'ね', "Hira Jpan"},
		{"katakana", 'ガ', "Jpan Kana"},
		{"hangul", '한', "Hang Kore"},
		{"bopomofo", 'ㄅ', "Bopo Hanb"},
		{"prolonged sound mark, used with both kana", 'ー', "Hira Jpan Kana"},
		{"ideographic closing mark", '〆', "Hanb Hani Jpan Kore"},
		{"digit", '1', "ALL"},
		{"inherited mark with extensions", '\u0301', "Cher Cyrl Grek Latn Osge Sunu Tale Todr"},
		{"inherited joiner", '\u200d', "ALL"},
		{"unassigned", '\u0378', "Zzzz"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := codes(uts39.Augmented(tt.char)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestResolved has the examples of UTS #39 §5.1, and more.
func TestResolved(t *testing.T) {
	tests := []struct {
		name, s string
		want    string
	}{
		{"Latin", "Circle", "Latn"},
		{"Cyrillic that looks like it", "СігсӀе", "Cyrl"},
		{"Latin and Cyrillic", "Сirсlе", ""},
		{"a digit for a letter", "Circ1e", "Latn"},
		{"mathematical letters after a Latin one", "C𝗂𝗋𝖼𝗅𝖾", "Latn"},
		{"mathematical letters alone", "𝖢𝗂𝗋𝖼𝗅𝖾", "ALL"},
		{"Han", "〆切", "Hanb Hani Jpan Kore"},
		{"both kana", "ねガ", "Jpan"},
		{"kana and Han", "食べ物", "Jpan"},
		{"hangul and Han", "漢字로", "Kore"},
		{"bopomofo and Han", "ㄅ字", "Hanb"},
		{"hangul and kana", "한ね", ""},
		{"bopomofo and kana", "ㄅね", ""},
		{"no letters", "2026-11", "ALL"},
		{"empty", "", "ALL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := codes(uts39.Analyze(tt.s).Scripts); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
