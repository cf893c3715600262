package engine

import (
	"testing"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestHiddenCharacters lists the characters that detection accepts in a link and that readable
// forms never decode.
func TestHiddenCharacters(t *testing.T) {
	hidden, shown := 0, 0
	for r := rune(0x80); r <= 0x10ffff; r++ {
		if ucd.LinkTermOf(r) == ucd.Hard {
			if !isHidden(r) {
				t.Errorf("%U ends links but is not hidden", r)
			}
			continue
		}
		invisible := ucd.IsBidiControl(r) || ucd.IsDefaultIgnorable(r) || ucd.IsUnassigned(r) || ucd.IsWhiteSpace(r)
		joiner := r == zeroWidthJoiner || r == zeroWidthNonJoiner
		if invisible && !joiner && !isHidden(r) {
			t.Errorf("%U cannot be seen but is shown", r)
		}
		// If Readable escaped a typed bracket, its partner would be left alone.
		term := ucd.LinkTermOf(r)
		if (term == ucd.Open || term == ucd.Close) && isHidden(r) {
			t.Errorf("%U is a bracket and hidden", r)
		}
		if isHidden(r) {
			hidden++
		} else {
			shown++
		}
	}
	t.Logf("%d characters are shown, %d hidden", shown, hidden)
	if shown < 150_000 || hidden < 500 {
		t.Errorf("%d characters are shown, %d hidden", shown, hidden)
	}
}

// TestEverydayLookalikes lists the characters that look like the syntax of a URL and that readable
// forms show all the same inside a word.
func TestEverydayLookalikes(t *testing.T) {
	want := map[rune]string{
		0x0660:  "full stop: ARABIC-INDIC DIGIT ZERO",
		0x06f0:  "full stop: EXTENDED ARABIC-INDIC DIGIT ZERO",
		0x0903:  "colon: DEVANAGARI SIGN VISARGA",
		0x0a83:  "colon: GUJARATI SIGN VISARGA",
		0x1361:  "colon: ETHIOPIC WORDSPACE",
		0x13ae:  "question mark: CHEROKEE LETTER HE",
		0x1429:  "plus: CANADIAN SYLLABICS FINAL PLUS",
		0x1540:  "plus: CANADIAN SYLLABICS WEST-CREE Y",
		0x30ce:  "slash: KATAKANA LETTER NO",
		0xa4f8:  "full stop: LISU LETTER TONE MYA TI",
		0xa4fa:  "two full stops: LISU LETTER TONE MYA CYA",
		0xa4fd:  "colon: LISU LETTER TONE MYA JEU",
		0xa60c:  "equals sign: VAI SYLLABLE LENGTHENER",
		0xabec:  "full stop: MEETEI MAYEK LUM IYEK",
		0x16869: "plus: BAMUM LETTER PHASE-B SHET NJAQ",
		0x4e36:  "backslash: the stroke DOT",
		0x4e3f:  "slash: the stroke SLASH",
	}
	for r := rune(0x80); r <= 0x10ffff; r++ {
		if !ucd.IsSyntaxLookalike(r) {
			continue
		}
		if _, ok := want[r]; ok == isHidden(r) {
			t.Errorf("%U hidden: %t", r, isHidden(r))
		}
		if !isHidden(r) {
			delete(want, r)
		}
	}
	for r, name := range want {
		t.Errorf("%U (%s) does not look like syntax", r, name)
	}
}
