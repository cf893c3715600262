package ucd_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestIsSyntaxLookalike compares every code point with the prototype that
// confusables.txt gives it and with its NFKC form, whichever looks like syntax.
func TestIsSyntaxLookalike(t *testing.T) {
	if unicode.Version != ucd.UnicodeVersion || norm.Version != ucd.UnicodeVersion {
		t.Skipf("SKIPPED: the normalisation of this Go is of Unicode %s", norm.Version)
	}
	prototypes := readProperty(t, "security/confusables.txt", 1)
	isSyntax := func(s string) bool {
		return s == "." || s == ".." || strings.ContainsAny(s, `/\?#:@&=%+;`)
	}
	n := 0
	for r := rune(0x80); r <= 0x10ffff; r++ {
		var prototype strings.Builder
		for h := range strings.FieldsSeq(prototypes[r]) {
			c, err := strconv.ParseUint(h, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			prototype.WriteRune(rune(c))
		}
		compatible := ""
		if !unicode.Is(unicode.Cs, r) {
			compatible = norm.NFKC.String(string(r))
		}
		want := isSyntax(prototype.String()) || isSyntax(compatible)
		if got := ucd.IsSyntaxLookalike(r); got != want {
			t.Errorf("IsSyntaxLookalike(%U) = %t: prototype %+q, NFKC %+q", r, got, prototype.String(), compatible)
		}
		if want {
			n++
		}
	}
	if n < 100 {
		t.Errorf("only %d lookalikes in the data", n)
	}
}

// TestSyntaxLookalikeSamples names the characters that matter most, for
// where the data files are not.
func TestSyntaxLookalikeSamples(t *testing.T) {
	for _, r := range []rune{0x2044, 0x2215, 0x29f8, 0xff0f, 0x0241, 0x0294, 0xff1f, 0xff03, 0xff1a, 0x2024, 0xff06, 0xff20, 0x2100, 0x30ce, 0x0660, 0x0903} {
		if !ucd.IsSyntaxLookalike(r) {
			t.Errorf("IsSyntaxLookalike(%U) = false", r)
		}
	}
	for _, r := range []rune{'/', '.', 'a', 'é', 'あ', '…', 0x661, 0x30cf, -1} {
		if ucd.IsSyntaxLookalike(r) {
			t.Errorf("IsSyntaxLookalike(%U) = true", r)
		}
	}
}
