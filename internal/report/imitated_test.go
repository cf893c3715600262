package report

import (
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// Every finding that a host looks like another names it.
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
