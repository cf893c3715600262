package pattern

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestStarAtDomain: a star for the local part works wherever an address does.
func TestStarAtDomain(t *testing.T) {
	for _, domain := range []string{"example.com", "EXAMPLE.com", "bücher.example", "xn--bcher-kva.example", "localhost", "a.b.c.example"} {
		set, err := NewAddresses([]string{"*@" + domain})
		if err != nil || !set.Has(ParseAddress("anna@"+domain)) || set.Has(ParseAddress("anna@x."+domain)) || set.Has(ParseAddress("<>")) {
			t.Errorf("*@%s: %v", domain, err)
		}
		below, err := NewAddresses([]string{"*@*." + domain})
		if err != nil || below.Has(ParseAddress("anna@"+domain)) || !below.Has(ParseAddress("anna@x."+domain)) {
			t.Errorf("*@*.%s: %v", domain, err)
		}
		if !set.Covers("@"+domain) || !set.Covers("*@"+domain) || !below.Covers("."+domain) || !below.Covers("*@*."+domain) {
			t.Errorf("%s: does not cover itself", domain)
		}
	}
}

// TestPatternsMatchOrAreRefused: a pattern of any pieces matches some address, or is refused with
// an error that suggests a valid one.
func TestPatternsMatchOrAreRefused(t *testing.T) {
	pieces := []string{"anna", "a.b", "*", "@", ".", "example.com", "mail", "<", ">", " ", "mailto:", "bücher", "\"", ",", "192.0.2.1", "-", "_", "Anna ", "xn--bcher-kva", ".."}
	witness := func(p string) string { // an address that the pattern should match
		p = strings.ReplaceAll(strings.ReplaceAll(p, "*@*.", "anna@x."), "*@", "anna@")
		if strings.HasPrefix(p, ".") && !strings.Contains(p, "@") {
			return "anna@x" + p
		}
		if strings.HasPrefix(p, "@") {
			return "anna" + p
		}
		return p
	}
	want := regexp.MustCompile(`\(want "(.+)"\)$`)
	random := rand.New(rand.NewPCG(1, 2))
	valid, meant := 0, 0
	for range 200_000 {
		var b strings.Builder
		for range 1 + random.IntN(5) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		p := b.String()
		set, err := NewAddresses([]string{p})
		if err == nil {
			valid++
			if a := witness(p); p != nullSender && !set.Has(ParseAddress(a)) {
				t.Fatalf("pattern %q does not match %q", p, a)
			}
			continue
		}
		if m := want.FindStringSubmatch(err.Error()); m != nil && !strings.Contains(m[1], `\`) {
			meant++
			if _, again := NewAddresses([]string{m[1]}); again != nil {
				t.Fatalf("pattern %q: %v, but %v", p, err, again)
			}
		}
	}
	if valid < 1000 || meant < 1000 {
		t.Errorf("%d valid, %d with another form", valid, meant)
	}
}

// TestGlobsOfAddresses: a pattern that no address can match is refused, and the error suggests one
// that works.
func TestGlobsOfAddresses(t *testing.T) {
	for _, glob := range []string{"noreply@*", "*@example.com", "*@*.example.com", "*-request@*", "*@git.*", "rt-*@*", "a@b.example", "*@*", "*@lists.*.example", "ä*@bücher.example", "*@b*", "*@*e"} {
		if err := CheckAddressGlob(glob); err != nil {
			t.Error(err)
		}
	}
	for glob, want := range map[string]string{
		"@example.com": `"*@example.com"`, ".example.com": `"*@*.example.com"`, "example.com": `"*@example.com"`, "*.example.com": `"*@*.example.com"`,
		"<a@b.example>": `"a@b.example"`, "Anna <a@b.example>": `"a@b.example"`, "mailto:a@b.example": `"a@b.example"`, " a@b.example": `"a@b.example"`,
		"noreply": `"noreply@*"`, "*": `"noreply@*"`, "": `"noreply@*"`, "@*": `"noreply@*"`, "<>": `"noreply@*"`, "*@": `"noreply@*"`, "a@.b.example": `"*@*.b.example"`,
	} {
		if err := CheckAddressGlob(glob); err == nil || !strings.Contains(err.Error(), "(want "+want+")") {
			t.Errorf("%q: %v, want %s", glob, err, want)
		}
	}
}

// TestGlobsOfFields: a glob that no value of a field matches is refused, with one that does.
func TestGlobsOfFields(t *testing.T) {
	for _, glob := range []string{"*", "[test]*", "a b", "*=?x", "Grüße*", "yes"} {
		if err := CheckFieldGlob(glob); err != nil {
			t.Error(err)
		}
	}
	for glob, want := range map[string]string{
		" yes": "yes", "yes\t": "yes", "a\r\n b": "a b", "=?UTF-8?Q?Gr=C3=BC=C3=9Fe?= *": "Grüße *", "=?iso-8859-1?B?Z3L832U=?=": "grüße", " ": "*",
	} {
		if err := CheckFieldGlob(glob); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("(want %q)", want)) {
			t.Errorf("%q: %v, want %q", glob, err, want)
		} else if err := CheckFieldGlob(want); err != nil {
			t.Error(err)
		}
	}
}

// TestMeantDomain: an error names the domain that is in a URL, an address or a wildcard.
func TestMeantDomain(t *testing.T) {
	for pattern, want := range map[string]string{
		"*.example.com": ".example.com", "https://example.com/a": "example.com", "example.com:80": "example.com", "a@example.com": "example.com",
		"@example.com": "example.com", ".192.0.2.1": "192.0.2.1", "example.com.": "example.com", "http://bücher.example:80/": "bücher.example",
	} {
		if err := new(Domains).Add(pattern); err == nil || !strings.Contains(err.Error(), `(want "`+want+`")`) {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
}
