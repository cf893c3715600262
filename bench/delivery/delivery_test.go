package main

import (
	"bytes"
	"testing"
)

// TestSets: there are enough messages, all different, and most with an over-escaped link are
// edited. Of mail as people write it, 95 in a hundred must become readable.
func TestSets(t *testing.T) {
	edit, err := editing(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ messages, percent int }{"text": {190, 0}, "html": {300, 85}, "combined": {400, 95}, "own": {300, 95}} {
		seen := make(map[string]bool)
		wanted, done := 0, 0
		for _, m := range sets[name]() {
			if seen[string(m.raw)] {
				t.Errorf("%s twice", m.name)
			}
			seen[string(m.raw)] = true
			if !m.wants {
				continue
			}
			wanted++
			edited, err := edit(m.name, m.raw)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(edited, m.raw) {
				done++
			}
		}
		if len(seen) < test.messages {
			t.Errorf("%s: %d messages", name, len(seen))
		}
		if 100*done < test.percent*wanted {
			t.Errorf("%s: %d of %d messages edited", name, done, wanted)
		}
	}
}

// TestComparisons: what MailScanner and Thunderbird say of references.
func TestComparisons(t *testing.T) {
	for _, test := range []struct {
		href, text               string
		mailscanner, thunderbird bool
	}{
		{"https://example.com/", "https://example.com/", false, false},
		{"https://example.com/%C3%BC", "example.com/ü", false, false},
		{"https://example.com/%C3%BC", "https://example.com/ü", false, false},
		{"https://www.example.com/", "example.com", true, false},
		{"https://example.com/", "www.example.com", false, false},
		{"https://evil.example/", "https://www.paypal.com/", true, true},
		{"https://evil.example/", "click here", false, false},
		{"https://xn--bcher-kva.com/", "bücher.com", true, false},
		{"https://xn--bcher-kva.com/", "https://bücher.com/x", true, false},
		{"https://xn--bcher-kva.com/", "xn--bcher-kva.com", false, false},
		{"https://xn--e1afmkfd.xn--p1ai/", "пример.рф", false, false},
		{"https://bücher.com/", "bücher.com", true, false},
		{"https://192.0.2.7/", "the router", true, true},
		{"https://192.0.2.7/", "https://192.0.2.7/", true, false},
		{"https://abc.de/", "abc.de", true, false},
		{"mailto:ann@example.com", "ann@example.com", false, false},
	} {
		r := reference{test.href, test.text}
		if r.mailscanner() != test.mailscanner || r.thunderbird() != test.thunderbird {
			t.Errorf("%q for %s: MailScanner %v, Thunderbird %v", test.text, test.href, r.mailscanner(), r.thunderbird())
		}
	}
}
