package engine

import (
	"strings"
	"testing"
)

// TestContextSettles: the rules of context depend on each other's results. They settle within a few
// rounds, also where each makes the other change, and no character is lost before.
func TestContextSettles(t *testing.T) {
	const (
		virama  = "%E0%A5%8D"
		joiner  = "%E2%80%8D"
		ka      = "%E0%A4%95"
		qa      = "%E0%A5%98" // not stable under NFC
		zero    = "%D9%A0"
		fatha   = "%D9%8E"
		visarga = "%E0%A4%83"
		bracket = "%EF%BC%88"
	)
	for _, unit := range []string{
		virama + joiner, virama + joiner + ka, joiner + virama, qa + virama + joiner, zero + fatha, fatha + zero, qa + zero, visarga,
		ka + visarga + joiner, qa + visarga + virama + joiner, bracket + virama + joiner, zero + joiner + fatha, "%E2%80%8C" + fatha + "%D8%A8",
	} {
		for _, before := range []string{"", ka, qa, "a"} {
			text := before + strings.Repeat(unit, 300)
			pr := partReader{}
			pr.read(partText{part: partPath, text: text})
			if !pr.settle(partPath, true) {
				t.Errorf("%q after %q does not settle", unit, before)
			}
			l, err := ParseLink("https://example.com/" + text)
			if err != nil {
				t.Fatal(err)
			}
			checkReadable(t, l)
		}
	}
}

// TestReadableFallsBack: if the rules of context do not settle, Readable escapes everything beyond
// ASCII.
func TestReadableFallsBack(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a%C3%A9\u200bé(%2Fb", "a%C3%A9%E2%80%8B%C3%A9(%2Fb"},
	} {
		pr := partReader{}
		p := partText{part: partPath, text: tt.text}
		pr.read(p)
		pr.hideAll()
		if got := string(pr.write(nil, p)); got != tt.want {
			t.Errorf("%q = %q, want %q", tt.text, got, tt.want)
		}
	}
}
