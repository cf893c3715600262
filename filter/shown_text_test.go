package filter_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
)

// TestPlain: a text that is surely plain is one that readers take as it stands.
func TestPlain(t *testing.T) {
	pieces := []string{
		"https", "HTTP", "ftp", ":", "/", "//", `\`, "a", "www.", "क", "é", " ", "\u00a0", "\u3000", "@", "(", "-", "?", "#", "]",
	}
	found := 0
	var check func(text string, more int)
	check = func(text string, more int) {
		if isPlain, plain := filter.Plain(text); isPlain {
			if found++; plain != text {
				t.Errorf("%q is not plain: readers take it for %q", text, plain)
			}
		}
		for i := 0; more > 0 && i < len(pieces); i++ {
			check(text+pieces[i], more-1)
		}
	}
	check("", 3)
	check("https:", 3)
	check("http://a", 3)
	if found < 1000 {
		t.Errorf("only %d texts are plain", found)
	}
}

// TestPlainNameOf: a text that is surely one URL in the host of the target has the findings of
// a scan, also for redirectors, hosts that the scan cuts, and texts that read as URLs turned.
func TestPlainNameOf(t *testing.T) {
	f := newFilter(t, filter.Options{})
	hosts := []string{
		"news.example.com", "www.google.com", "google.com", "urldefense.com", "www-paypal-com.translate.goog", "example-net.translate.goog",
		"192.0.2.1", "127.1", "[2001:db8::1]", "xn--bcher-kva.example", "a-.xn--80ak6aa92e.info", "a-.www-paypal-com.org", "moc.lapyap.com",
		"www.paypal.com$evil.net", "paypal.com_.evil.net", "paypal.com-.evil.net", "paypal.com-secure", "co.xn--bcher-kva.php.org-py",
		"paypal.unknown", "paypal.com.", "paypal.com:80", "a@paypal.com", "bücher.example", "example.org", "-paypal.com", "paypal..com", "moc.www",
	}
	pieces := []string{
		"/", "/url", "/v3/__https", "?q=example.com", "?q=https%3A%2F%2Fexample.net%2F", "/amp/s/example.net/a", "#a", "@", ":80", "_", "-", ".", "'",
		"é", " ", "/महात्मा", "ー人", "क", "/aを見て.paypal.com", "。", "ː", `"`, "(", ",", "paypal.com", "www.paypal.com", "https://paypal.com", "__;!!a", ".www", "moc.", "%41",
		strings.Repeat("a", 9000),
	}
	schemes := []string{"", "", "https://", "http://", "ftp://", "HTTP://", "https:/", "https:", "mailto:"}
	random := rand.New(rand.NewPCG(1, 2))
	one := func(of []string) string { return of[random.IntN(len(of))] }
	plain := 0
	for range 40_000 {
		host := one(hosts)
		rest := ""
		for range random.IntN(3) {
			rest += one(pieces)
		}
		target, err := engine.ParseLink(one(schemes) + host + rest)
		if err != nil {
			continue
		}
		if random.IntN(3) == 0 {
			rest = one(pieces) + one(pieces)
		}
		for _, text := range []string{target.Text, one(schemes) + host, one(schemes) + host + rest} {
			isPlain, got, want := filter.PlainNameOf(f, text, target)
			if isPlain {
				plain++
			}
			if !slices.Equal(got, want) {
				t.Errorf("%.99q for %.99q: got %v, want %v", text, target.Text, got, want)
			}
		}
	}
	if plain < 5_000 {
		t.Errorf("only %d texts are plain names", plain)
	}
}

// TestPlainLetter: no reading of a text makes syntax or letters of ASCII of plain letters.
func TestPlainLetter(t *testing.T) {
	plain := 0
	for r := range unicode.MaxRune {
		if !filter.PlainLetter(r) {
			continue
		}
		plain++
		for _, reading := range filter.TextReadings("x" + string(r) + ".") {
			reading = strings.TrimSuffix(strings.TrimPrefix(reading, "x"), ".")
			if strings.ContainsFunc(reading, func(r rune) bool { return r > ' ' && r < 0x7f }) {
				t.Errorf("%U reads as %q", r, reading)
			}
		}
	}
	if plain < 40_000 {
		t.Errorf("only %d letters are plain", plain)
	}
}

func TestHasSpace(t *testing.T) {
	for r := range unicode.MaxRune {
		if got, want := filter.HasSpace("a"+string(r)), unicode.IsSpace(r); got != want {
			t.Fatalf("%U: got %t", r, got)
		}
	}
}

// TestBareText: whatever is before a character, it stays or goes as it does behind a control.
func TestBareText(t *testing.T) {
	for r := range unicode.MaxRune {
		const control = "\x01"
		got, want := filter.BareText("é"+string(r)), filter.BareText(control+"é"+string(r))
		if got != want {
			t.Fatalf("%U: got %q, want %q", r, got, want)
		}
	}
}
