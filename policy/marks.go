package policy

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// Marks of the block Combining Diacritical Marks, which the scripts of Europe
// use.
const (
	firstDiacritic = 0x300
	lastDiacritic  = 0x36f
	dotAbove       = 0x307
)

// marks reports combining marks that cannot be seen where they are: the same
// one twice, and a dot above a letter that has one; and diacritics on letters
// of scripts that do not use them, and on the dotless i, which make a letter
// that looks like another.
func (g *judgement) marks(label, s string) {
	if strings.IndexFunc(s, ucd.IsMark) < 0 {
		return // IDNA composes what can be: no letter has two marks
	}
	var base, last rune
	for _, r := range norm.NFD.String(s) {
		if !ucd.IsMark(r) {
			base, last = r, 0
			continue
		}
		diacritic := firstDiacritic <= r && r <= lastDiacritic
		switch {
		case r == last:
			g.addHost(CodeInvisibleCharacter, SeverityMedium, label, fmt.Sprintf("%U twice on one letter", r))
			return
		case r == dotAbove && (base == 'i' || base == 'j' || base == 'l'):
			g.addHost(CodeInvisibleCharacter, SeverityMedium, label, fmt.Sprintf("%U on %c", r, base))
			return
		case diacritic && (base == 'ı' || base == 'ȷ'):
			g.addHost(CodeRestrictedCharacter, SeverityMedium, label, fmt.Sprintf("%U on a dotless letter", r))
			return
		case diacritic && !usesDiacritics(base, r):
			g.addHost(CodeRestrictedCharacter, SeverityMedium, label, fmt.Sprintf("%U on a letter that takes no such mark", r))
			return
		}
		last = r
	}
}

// european are the scripts that use diacritics of the common block.
var european = ucd.Scripts(ucd.ScriptLatn, ucd.ScriptGrek, ucd.ScriptCyrl)

// usesDiacritics reports whether the diacritic, of the common block, may
// stand on the letter base: in the scripts of Europe, in a script that the
// data names for the mark, and in scripts of limited use, of which the data
// knows too little.
func usesDiacritics(base, mark rune) bool {
	id := ucd.IdentityOf(base)
	scripts := european.Or(ucd.IdentityOf(mark).Extensions())
	return !id.Extensions().And(scripts).IsEmpty() || id.Types()&ucd.LimitedUse != 0
}
