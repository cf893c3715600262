package filter_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/judge"
)

func TestDefang(t *testing.T) {
	for link, want := range map[string]string{
		"https://example.com/":                     "hxxps[:]//example[.]com/",
		"HTTP://example.com":                       "hxxp[:]//example[.]com",
		"ftp://example.com/x.txt":                  "fxp[:]//example[.]com/x[.]txt",
		"example.com/a?u=https://b.example/":       "example[.]com/a?u=https[:]//b[.]example/",
		"https://a.example/?u=http%3A%2F%2Fb.org":  "hxxps[:]//a[.]example/?u=http%3A%2F%2Fb[.]org",
		"anna@example.com":                         "anna[@]example[.]com",
		"mailto:anna@example.com":                  "mailto[:]anna[@]example[.]com",
		"https://anna:x@example.com:8080/":         "hxxps[:]//anna[:]x[@]example[.]com[:]8080/",
		"http://[2001:db8::1]/":                    "hxxp[:]//[2001[:]db8[:][:]1]/",
		"http://192.0.2.1/":                        "hxxp[:]//192[.]0[.]2[.]1/",
		"https://日本語。jp/":                          "hxxps[:]//日本語[.]jp/",
		"anna\uff20example\uff0ecom":               "anna[@]example[.]com",
		"httpd.example.com":                        "httpd[.]example[.]com",
		"ftp.example.com":                          "ftp[.]example[.]com",
		"hxxps[:]//example[.]com/ (is already so)": "hxxps[[:]]//example[[.]]com/ (is already so)",
		"":     "",
		"http": "http",
		"https\uff1a//example.com stays a full stop": "https[:]//example[.]com stays a full stop",
	} {
		if got := judge.Defang(link); got != want {
			t.Errorf("%s became %s, want %s", link, got, want)
		}
		if found := stillLinks(t, judge.Defang(link)); found != "" {
			t.Errorf("%s: still a link for %s", judge.Defang(link), found)
		}
	}
}

// otherDetectors match at least what generous linkifiers match: schemes with and without slashes,
// names with any last label of letters, IP addresses, mail addresses.
var otherDetectors = map[string]*regexp.Regexp{
	"scheme":   regexp.MustCompile(`(?i)[a-z][a-z.+-]*://[^\s]`),
	"no slash": regexp.MustCompile(`(?i)\b(?:mailto|tel|sms|xmpp|magnet|bitcoin|cid|mid|file|data|javascript|https?|ftp):[^\s\]]`),
	"host":     regexp.MustCompile(`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?[.。．｡](?:[\p{L}\p{M}]{2,}|xn--)`),
	"IPv4":     regexp.MustCompile(`\d+\.\d+\.\d+\.\d+`),
	"IPv6":     regexp.MustCompile(`(?i)\[?[0-9a-f]{1,4}:[0-9a-f:]+|::[0-9a-f]`),
	"address":  regexp.MustCompile(`[^\s<>()\[\]@]+@[^\s<>()\[\]@]+`),
}

// stillLinks returns a text that a detector still takes for a link, or "".
func stillLinks(tb testing.TB, text string) string {
	tb.Helper()
	for _, strict := range []bool{false, true} {
		scanner, err := engine.New(engine.Options{Strict: strict, Suspects: true})
		if err != nil {
			tb.Fatal(err)
		}
		for _, context := range []string{text, "See " + text + ".", "(" + text + ")", "<" + text + ">"} {
			if links := scanner.Append(nil, context); len(links) > 0 {
				return links[0].Kind.String() + " " + links[0].Text
			}
		}
	}
	for name, detector := range otherDetectors {
		if match := detector.FindString(text); match != "" {
			return name + ": " + match
		}
	}
	return ""
}

// TestDefangedLinksOfSamples defangs every link of the sample messages.
func TestDefangedLinksOfSamples(t *testing.T) {
	f := newFilter(t, filter.Options{})
	links := 0
	for _, s := range samples(t) {
		for _, l := range f.Scan(s.raw).Links {
			links++
			for _, text := range []string{l.Link.Text, l.Display} {
				if stillLinks(t, text) == "" && l.Link.Kind != engine.KindSuspect {
					t.Errorf("%s: no detector finds %s", s.name, text)
				}
				if found := stillLinks(t, judge.Defang(text)); found != "" {
					t.Errorf("%s: %s: still a link for %s", s.name, judge.Defang(text), found)
				}
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links", links)
	}
}

// FuzzDefang defangs any text; no detector may find a link in it.
func FuzzDefang(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/", "a@b.example", "http://[::1]:80/", "www.example.com", "x。jp", "http://a@b.c:1/?q=http://d.e",
		"[.]com", "a[@]b", "1.2.3.4", "::1", "http:/\\example.com", "mailto:a@b.example?cc=c@d.example",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\n") {
			return // a link lies within a line
		}
		if found := stillLinks(t, judge.Defang(text)); found != "" {
			t.Errorf("%q: still a link for %q", judge.Defang(text), found)
		}
	})
}
