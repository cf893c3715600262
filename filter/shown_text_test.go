package filter_test

import (
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
// a scan, also where the target passes readers on.
func TestPlainNameOf(t *testing.T) {
	f := newFilter(t, filter.Options{})
	pieces := []string{
		"https://", "HTTP://", "http:/", "//", "www.", "news.example.com", "www.google.com", "google.com", "example.net", "Example.com",
		"urldefense.com", "192.0.2.1", "a.moc.net", "xn--bcher-kva.example", ".", "/", "/url", "/v3/__https", "?q=example.com", "#a", "@", ":80", "_", "-", "é", " ", "/महात्मा", "ー人", "क.", "。", "ː",
	}
	var targets []engine.Link
	for _, url := range []string{
		"https://news.example.com/a", "https://www.google.com/url?q=https%3A%2F%2Fexample.net%2F", "https://google.com/",
		"https://urldefense.com/v3/__https://example.net/__;!!a", "http://192.0.2.1/", "https://xn--bcher-kva.example/", "https://www.example.net/url",
		"ftp://a.moc.net/", "www.google.com/url?q=example.com", "https://www.google.com/url?q=example.com", "mailto:anna@example.net",
	} {
		target, err := engine.ParseLink(url)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
	}
	found := 0
	var check func(text string, more int)
	check = func(text string, more int) {
		for _, target := range targets {
			isPlain, got, want := filter.PlainNameOf(f, text, target)
			if isPlain {
				found++
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q for %q: got %v, want %v", text, target.Text, got, want)
			}
		}
		for i := 0; more > 0 && i < len(pieces); i++ {
			check(text+pieces[i], more-1)
		}
	}
	for _, start := range []string{"", "www.", "HTTP://", "https://www.google.com", "https://urldefense.com/v3/__https", "https://news.example.com/क"} {
		check(start, 2)
	}
	if found < 200 {
		t.Errorf("only %d texts name nothing but the host", found)
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
