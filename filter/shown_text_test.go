package filter_test

import (
	"testing"
	"unicode"

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
