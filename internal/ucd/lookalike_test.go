package ucd_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestIsSyntaxLookalike: a character is one if its prototype in confusables.txt, or its NFKC form,
// looks like syntax; compared for every code point.
func TestIsSyntaxLookalike(t *testing.T) {
	if unicode.Version != ucd.IDNAVersion || norm.Version != ucd.IDNAVersion {
		t.Skipf("SKIPPED: the normalisation of this Go is of Unicode %s", norm.Version)
	}
	decompositions := readProperty(t, "ucd/UnicodeData.txt", 5)
	prototypes := readProperty(t, "security/confusables.txt", 1)
	isSyntax := func(s string) bool {
		return s == "." || s == ".." || strings.ContainsAny(s, `/\?#:@&=%+;`)
	}
	n := 0
	for r := rune(0x80); r <= 0x10ffff; r++ {
		prototype := parseText(t, prototypes[r])
		compatible := ""
		switch {
		case ucd.IsUnknownToIDNA(r):
			_, decomposition, _ := strings.Cut(decompositions[r], ">")
			compatible = parseText(t, decomposition)
		case !unicode.Is(unicode.Cs, r):
			compatible = norm.NFKC.String(string(r))
		}
		isFraction := strings.HasPrefix(decompositions[r], "<fraction>") && !strings.HasSuffix(prototype, "/")
		want := isSyntax(prototype) && !isFraction || isSyntax(compatible)
		if got := ucd.IsSyntaxLookalike(r); got != want {
			t.Errorf("IsSyntaxLookalike(%U) = %t: prototype %+q, NFKC %+q", r, got, prototype, compatible)
		}
		if want {
			n++
		}
	}
	if n < 100 {
		t.Errorf("only %d lookalikes in the data", n)
	}
}

// parseText returns the text of code points given in hexadecimal digits.
func parseText(t *testing.T, hex string) string {
	t.Helper()
	var text strings.Builder
	for h := range strings.FieldsSeq(hex) {
		c, err := strconv.ParseUint(h, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteRune(rune(c))
	}
	return text.String()
}

// TestSyntaxLookalikeSamples: the most important characters, for machines without the data files.
func TestSyntaxLookalikeSamples(t *testing.T) {
	for _, r := range []rune{0x2044, 0x2215, 0x29f8, 0xff0f, 0x0241, 0x0294, 0xff1f, 0xff03, 0xff1a, 0x2024, 0xff06, 0xff20, 0x2100, 0x30ce, 0x0660, 0x0903} {
		if !ucd.IsSyntaxLookalike(r) {
			t.Errorf("IsSyntaxLookalike(%U) = false", r)
		}
	}
	for _, r := range []rune{'/', '.', 'a', 'é', 'あ', '…', '½', 0x661, 0x30cf, 0x2260, -1} {
		if ucd.IsSyntaxLookalike(r) {
			t.Errorf("IsSyntaxLookalike(%U) = true", r)
		}
	}
}
