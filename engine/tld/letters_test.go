package tld

import (
	"testing"

	"golang.org/x/text/unicode/norm"
)

// TestLetterFilter: the filter accepts every internationalised name, however it is typed, and few
// other words.
func TestLetterFilter(t *testing.T) {
	set := Builtin()
	n := 0
	for name := range set.unicode {
		for _, typed := range []string{name, norm.NFD.String(name), partlyComposed(name)} {
			if !set.letters.mayMake(typed) || !set.Contains(typed) {
				t.Errorf("%q, typed %+q, is not found", name, typed)
			}
			n++
		}
	}
	if n < 450 {
		t.Errorf("only %d names", n)
	}
	for _, word := range []string{"他们赋有理性和良心", "さようなら", "มโนธรรม", "разумом", "ճիշտ", "அவர்கள்"} {
		if set.letters.mayMake(word) {
			t.Logf("%s passes the filter", word)
		}
		if set.Contains(word) {
			t.Errorf("Contains(%q) = true", word)
		}
	}
}

// partlyComposed returns s decomposed, with the first two characters of each
// decomposition composed again.
func partlyComposed(s string) string {
	var out []rune
	for _, r := range s {
		d := []rune(norm.NFD.String(string(r)))
		n := min(2, len(d))
		out = append(out, []rune(norm.NFC.String(string(d[:n])))...)
		out = append(out, d[n:]...)
	}
	return string(out)
}
