package engine_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestFormatIsWhole: Format normalises every part of a URL.
func TestFormatIsWhole(t *testing.T) {
	for url, want := range map[string]string{
		`HTTP:\\example.com\a\b`:                 "http://example.com/a/b",
		"https:example.com/a":                    "https://example.com/a",
		"HTTPS:/example.com/%7Ea":                "https://example.com/~a",
		"https:///example.com/":                  "https://example.com/",
		"https://example.com/a\u200bb":           "https://example.com/a%E2%80%8Bb",
		"https://example.com/a%E2%80%8Bb":        "https://example.com/a%E2%80%8Bb",
		"https://example.com/a\U000E0061b":       "https://example.com/a%F3%A0%81%A1b",
		"https://example.com/a%C2%ADb":           "https://example.com/a%C2%ADb",
		"https://example.com/می\u200cروم":        "https://example.com/می\u200cروم",
		"https://example.com/%E2%9D%A4%EF%B8%8F": "https://example.com/❤️",
		"co.uk":                                  "co.uk",
		"http://co.uk":                           "http://co.uk",
	} {
		if got, err := engine.Format(url); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", url, got, err, want)
		}
	}
}

// TestFormatHidesNothing: Format escapes each character that is not shown, typed or escaped, except
// those that shape their neighbours.
func TestFormatHidesNothing(t *testing.T) {
	hidden := 0
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) || !ucd.IsDefaultIgnorable(r) || 0xe1000 <= r {
			continue
		}
		escaped := string(percent.AppendRune(nil, r))
		for _, typed := range []string{string(r), escaped} {
			url := "https://example.com/a" + typed + "b"
			got, err := engine.Format(url)
			if err != nil {
				continue // a URL has no white space
			}
			switch got {
			case "https://example.com/a" + escaped + "b":
				hidden++
			case "https://example.com/a" + string(r) + "b":
				if fmt.Sprintf("%U", r) > "U+FE0F" || r < 0x180b {
					t.Errorf("%U is bare", r)
				}
			default:
				t.Errorf("%U: %q", r, got)
			}
		}
	}
	if hidden < 500 {
		t.Errorf("only %d", hidden)
	}
}

// TestPublicSuffixIsLink: gov.uk and co.uk are public suffixes, and hosts that may have a site.
func TestPublicSuffixIsLink(t *testing.T) {
	for _, d := range []detection{
		{name: "bare", strict: "⸠co.uk⸡ ⸠gov.uk⸡ ⸠com.au⸡ ⸠blogspot.com⸡"},
		{name: "behind a scheme", strict: "⸠http://co.uk⸡ ⸠https://gov.uk/a⸡"},
		{name: "a top-level domain alone is none", strict: "uk http://uk"},
	} {
		d.run(t)
	}
}
