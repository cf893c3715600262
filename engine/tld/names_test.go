package tld_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine/tld"
)

func TestWith(t *testing.T) {
	small, err := tld.Parse(strings.NewReader("com\norg\n"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := small.With("LinkMilterTest", "xn--h2brj9c", "com")
	if err != nil {
		t.Fatal(err)
	}
	if small.Len() != 2 || more.Len() != 4 {
		t.Errorf("%d and %d names, want 2 and 4", small.Len(), more.Len())
	}
	for _, label := range []string{"com", "org", "linkmiltertest", "भारत"} {
		if !more.Contains(label) {
			t.Errorf("Contains(%q) = false", label)
		}
	}
	if got := slices.Sorted(more.All()); !slices.Equal(got, []string{"com", "linkmiltertest", "org", "xn--h2brj9c"}) {
		t.Errorf("All() = %q", got)
	}
	if small.Contains("linkmiltertest") {
		t.Error("the set has changed")
	}
	for _, name := range []string{"", "co.uk", "भारत", "-a", "xn--99999999", strings.Repeat("a", 64)} {
		if _, err := small.With("net", name); err == nil {
			t.Errorf("With(%q) returns no error", name)
		}
	}
}
