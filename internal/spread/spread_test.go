package spread_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/spread"
)

// TestLettersThatAreSpread: at least four letters with characters between them are a word; fewer
// are initials.
func TestLettersThatAreSpread(t *testing.T) {
	for _, test := range []struct {
		text, joined string
		letters      bool
	}{
		{"", "", false},
		{"A p p l e", "Apple", true},
		{"ä p f e l", "äpfel", true},
		{"J R R Tolkien", "J R R Tolkien", false},
		{"The A p p l e Team", "The Apple Team", false},
		{"A p p l e and P e a r", "Apple and Pear", false},
		{"Apple", "Apple", false},
		{"a b c", "a b c", false},
	} {
		if got := spread.IsLetters(test.text, unicode.IsSpace); got != test.letters {
			t.Errorf("%q: letters %v, want %v", test.text, got, test.letters)
		}
		if got, want := spread.Joined(strings.Fields(test.text)), strings.Fields(test.joined); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", test.text, got, want)
		}
	}
}
