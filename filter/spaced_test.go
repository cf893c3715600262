package filter_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// TestWhiteSpaceInBrackets: a URL in angle brackets is read without the white space in it.
func TestWhiteSpaceInBrackets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 17))
		url := []string{"http://paypa1.com/login", "HTTPS://www.paypa1.com", "URL:http://paypa1.com/", "www.paypa1.com", "http://user@paypa1.com/"}[r.IntN(5)]
		at := len("URL:") + r.IntN(strings.LastIndex(url, ".com")+len(".com")-len("URL:"))
		space := []string{" ", "\t", "\r\n", "\r\n ", " \r\n", "\r\n> ", "\r\n> > ", "\u3000", "\u2028", "\f"}[r.IntN(10)]
		text := "See <" + url[:at] + space + url[at:] + "> now"
		result := f.Scan(beside("Content-Type: text/plain; charset=utf-8", text))
		if result.Worst() < policy.SeverityHigh {
			t.Errorf("%q: %s", text, result)
		}
	}
}

// TestTitlesInBrackets: white space behind the host of such a URL changes nothing.
func TestTitlesInBrackets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, text := range []string{
		"<http://example.com/ Our page>", "<https://example.com/a\r\n> b>", "a < b and http://example.com > c",
		"<http://example.com>, < www.example.org >", "<mailto:a@example.com  >", "if (a <w && b> c)",
	} {
		if result := f.Scan(beside("Content-Type: text/plain; charset=utf-8", text)); result.Worst() >= policy.SeverityMedium {
			t.Errorf("%q: %s", text, strings.Join(placed(result), "\n"))
		}
	}
}
