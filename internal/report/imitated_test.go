package report

import (
	"slices"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// TestImitatedInText: if a text or the name of a sender names another domain, that is an imitated
// name, unless the finding is low.
func TestImitatedInText(t *testing.T) {
	judge, err := policy.New(policy.Options{Protected: []string{"mybank.com"}})
	if err != nil {
		t.Fatal(err)
	}
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	imitated := func(findings []policy.Finding) (names []string) {
		for _, f := range findings {
			names = append(names, Imitated(f))
		}
		return names
	}
	target := slices.Collect(scanner.All("https://evil.example.net/"))[0]
	for text, want := range map[string][]string{
		"https://www.mybank.com/login": {"mybank.com"}, "https://www.paypal.com/": {"paypal.com"},
		"https://evil.example.net/": nil, "Click here": nil,
		"example.org": {""}, // a low finding: the text may be about the name
	} {
		if got := imitated(judge.TextTarget(text, slices.Collect(scanner.All(text)), target)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	address := slices.Collect(scanner.All("x@evil.example.net"))[0]
	for name, want := range map[string][]string{
		"service@mybank.com": {"mybank.com"}, "paypal.com": {"paypal.com"}, "Anna": nil,
	} {
		if got := imitated(judge.DisplayName(name, slices.Collect(scanner.All(name)), address)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestImitated: for each finding that a host looks like another, the other one is an imitated name.
func TestImitated(t *testing.T) {
	judge, err := policy.New(policy.Options{Protected: []string{"bank-online.example.com", "mybank.example"}})
	if err != nil {
		t.Fatal(err)
	}
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"http://paypa1.com/": "paypal.com", "http://p\u0430ypal.com/": "paypal.com", "http://paypal.com.example.net/": "paypal.com",
		"http://mybanc.example/": "mybank.example", "http://mybank-login.com/": "mybank.example", "http://microsofft.com/": "microsoft.com",
		"http://login-paypa1.net/": "paypal.com", "http://wwwpaypal.com/": "paypal.com", "http://paypal-login.net/": "paypal.com",
		"http://example.org/": "",
	} {
		got := ""
		for link := range scanner.All(text) {
			for _, f := range judge.Link(link).Findings {
				if name := Imitated(f); name != "" {
					got = name
				} else if f.Code == policy.CodeLookalike {
					t.Errorf("%s: no name in %q", text, f.Detail)
				}
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
