package policy_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestBlock: the operator blocks hosts, with a date or without.
func TestBlock(t *testing.T) {
	j := newJudge(t, policy.Options{Block: []string{"evil.example.net", ".bad.example.net 2999-12-31", "old.example.net 2020-01-31"}})
	for link, want := range map[string]policy.Severity{
		"https://evil.example.net/":    policy.SeverityHigh,
		"https://EVIL.example.net.:80": policy.SeverityHigh,
		"x@evil.example.net":           policy.SeverityHigh,
		"https://www.bad.example.net/": policy.SeverityHigh,
		"https://bad.example.net/":     policy.SeverityNone,
		"https://www.evil.example.net": policy.SeverityNone,
		"https://old.example.net/":     policy.SeverityNone,
	} {
		if v := j.Link(parse(t, link)); v.Worst() != want {
			t.Errorf("%s: %+v, want %s", link, v.Findings, want)
		}
	}
	for _, line := range []string{"", "a b", "https://example.net", "example.net 31.12.2027"} {
		if _, err := policy.New(policy.Options{Block: []string{line}}); err == nil {
			t.Errorf("line %q: no error", line)
		}
	}
}

// TestWithoutBrands: without the built-in list, only the operator's domains count.
func TestWithoutBrands(t *testing.T) {
	j := newJudge(t, policy.Options{WithoutBrands: true, Protected: []string{"kestrelbank.com"}})
	for link, want := range map[string]policy.Severity{
		"https://paypa1.com/":      policy.SeverityNone,
		"https://facebok.com/":     policy.SeverityNone,
		"https://kestrelbnak.com/": policy.SeverityMedium,
	} {
		if v := j.Link(parse(t, link)); v.Worst() != want {
			t.Errorf("%s: %+v, want %s", link, v.Findings, want)
		}
	}
}

// TestBrands: Options.Brands adds domains whose names are honest below other suffixes.
func TestBrands(t *testing.T) {
	j := newJudge(t, policy.Options{Brands: []string{"kestrelbank.com"}, WithoutBrands: true})
	for link, want := range map[string]policy.Severity{
		"https://kestrelbank.com/":       policy.SeverityNone,
		"https://kestrelbank.de/":        policy.SeverityNone,
		"https://kestrelbnak.com/":       policy.SeverityMedium,
		"https://kestrelbank-login.com/": policy.SeverityMedium,
		"https://kestre1bank.com/":       policy.SeverityHigh,
		"https://paypa1.com/":            policy.SeverityNone,
	} {
		if v := j.Link(parse(t, link)); v.Worst() != want {
			t.Errorf("%s: %+v, want %s", link, v.Findings, want)
		}
	}
	if _, err := policy.New(policy.Options{Brands: []string{"com"}}); err == nil {
		t.Error("brand com: no error")
	}
}

// TestShortener: a link to a service that shortens URLs has an info finding. An address there, and
// a host below it, have none.
func TestShortener(t *testing.T) {
	check(t, []judged{
		{"a short link", "https://bit.ly/abc", policy.CodeShortener, policy.SeverityInfo},
		{"www", "https://www.tinyurl.com/abc", policy.CodeShortener, policy.SeverityInfo},
		{"an address", "info@bit.ly", policy.CodeShortener, policy.SeverityNone},
		{"another host", "https://support.bit.ly/", policy.CodeShortener, policy.SeverityNone},
	})
}
