package ucd_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestConfusables compares every code point with confusables.txt.
func TestConfusables(t *testing.T) {
	data := readProperty(t, "security/confusables.txt", 1)
	isPrototype := map[string]bool{}
	prototypes := map[rune]string{}
	for r, hex := range data {
		var b strings.Builder
		for f := range strings.FieldsSeq(hex) {
			n, err := strconv.ParseUint(f, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteRune(rune(n))
		}
		prototypes[r] = b.String()
		isPrototype[b.String()] = true
	}
	for r := rune(0); r <= 0x10ffff; r++ {
		want, ok := prototypes[r]
		if !ok && isPrototype[string(r)] {
			want = string(r)
		}
		got := ""
		if c := ucd.ConfusableOf(r); c != 0 {
			got = c.Prototype()
		}
		if got != want {
			t.Fatalf("prototype of %U = %+q, want %+q", r, got, want)
		}
	}
}

// TestConfusableScripts: for each character, the scripts that have a lookalike of it that a host
// may have.
func TestConfusableScripts(t *testing.T) {
	tests := []struct {
		name  string
		char  rune
		has   []ucd.Script
		hasNo []ucd.Script
	}{
		{"Latin o", 'o', []ucd.Script{ucd.ScriptLatn, ucd.ScriptCyrl, ucd.ScriptGrek, ucd.ScriptArmn}, []ucd.Script{ucd.ScriptHani, ucd.ScriptZyyy}},
		{"Cyrillic es", 'с', []ucd.Script{ucd.ScriptLatn, ucd.ScriptCyrl}, []ucd.Script{ucd.ScriptThai}},
		{"Latin m, whose prototype is rn", 'm', []ucd.Script{ucd.ScriptLatn}, []ucd.Script{ucd.ScriptCyrl}},
		{"katakana ni, like han two", 'ニ', []ucd.Script{ucd.ScriptKana, ucd.ScriptHani}, []ucd.Script{ucd.ScriptLatn}},
		{"Cyrillic ka, like a Latin letter that is not allowed", 'к', []ucd.Script{ucd.ScriptCyrl}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := ucd.ConfusableOf(tt.char)
			if c == 0 {
				t.Fatal("no class")
			}
			for _, s := range tt.has {
				if !c.Scripts().Has(s) {
					t.Errorf("%s is missing from %v", s, c.Scripts().Append(nil))
				}
			}
			for _, s := range tt.hasNo {
				if c.Scripts().Has(s) {
					t.Errorf("%s is in %v", s, c.Scripts().Append(nil))
				}
			}
		})
	}
	if ucd.ConfusableOf('語') != 0 || ucd.ConfusableOf(-1) != 0 {
		t.Error("a class where the data has none")
	}
}
