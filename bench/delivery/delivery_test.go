package main

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// TestEditsCostNothing is the short form of the measurement: every thirteenth message has
// each form in one language or another.
func TestEditsCostNothing(t *testing.T) {
	env.Command(t, "spamassassin")
	env.Command(t, "rspamd")
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const every = 13
	r, err := measure(t.Context(), func(raw []byte) ([]byte, error) {
		user := envelope.Envelope{Sender: "marek.novak@example.org", Client: netip.MustParseAddr("127.0.0.1"), Authenticated: true}
		result := f.Message(t.Context(), user, raw)
		return result.Message(raw), nil
	}, every)
	if err != nil {
		t.Fatal(err)
	}
	var tables strings.Builder
	r.print(&tables, true)
	t.Log(tables.String())
	if costly := r.costly(); len(costly) > 0 {
		t.Errorf("the edit of %s costs something", strings.Join(costly, ", "))
	}
	if r.edited < 12 || r.alternatives < 9 {
		t.Errorf("%d of %d messages edited, %d with an alternative", r.edited, r.messages, r.alternatives)
	}
}

// TestForms: there are enough messages, each is another one.
func TestForms(t *testing.T) {
	seen := make(map[string]bool)
	for _, m := range messages() {
		if seen[m.name] {
			t.Errorf("%s twice", m.name)
		}
		seen[m.name] = true
	}
	if len(seen) < 200 {
		t.Errorf("%d messages", len(seen))
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
