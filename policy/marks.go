package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// Marks of the block Combining Diacritical Marks, which the scripts of Europe
// use: the first, the last, and the dot of an i.
const (
	firstDiacritic = 0x300
	lastDiacritic  = 0x36f
	dotAbove       = 0x307
)

// dotted are the letters on which readers do not see a further dot above. UTS #46 maps the Turkish
// İ to i with such a dot.
const dotted = "ijl"

// deceptiveMark reports the first combining mark that a reader does not see, or that makes a letter
// look like another. Readers do not see that a mark is twice on a letter (UTS #39 §5.4), nor a dot
// above a letter that has one. A mark deceives on a dotless letter, and on a letter of a script
// that does not use the mark. s is the label without joiners.
func deceptiveMark(label, s string) Finding {
	if strings.IndexFunc(s, ucd.IsMark) < 0 {
		return Finding{} // IDNA composes letters and marks (NFC), so no letter has two
	}
	var base rune
	from := 0 // the nonspacing marks on base
	decomposed := norm.NFD.String(s)
	for i, r := range decomposed {
		if !ucd.IsMark(r) {
			base, from = r, i+utf8.RuneLen(r)
			continue
		}
		diacritic := firstDiacritic <= r && r <= lastDiacritic
		switch {
		case !unicode.Is(unicode.Mn, r):
			from = i + utf8.RuneLen(r)
		case strings.ContainsRune(decomposed[from:i], r):
			return markTwice.finding(label, r)
		case r == dotAbove && strings.ContainsRune(dotted, base):
			return dotOnDot.finding(label, r, base)
		case diacritic && (base == 'ı' || base == 'ȷ'):
			return markOnDotless.finding(label, r)
		case diacritic && !usesDiacritics(base, r):
			return strayMark.finding(label, r)
		}
	}
	return Finding{}
}

// usesDiacritics reports whether honest text may have the mark, which is of the common block, on
// the letter base. European scripts may, and scripts in the Script_Extensions of the mark (UAX
// #24). So may scripts of limited use, because the Unicode data knows few of their marks.
func usesDiacritics(base, mark rune) bool {
	id := ucd.IdentityOf(base)
	scripts := european.Or(ucd.IdentityOf(mark).Extensions())
	return !id.Extensions().And(scripts).IsEmpty() || id.Types()&ucd.LimitedUse != 0
}
