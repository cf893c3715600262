package policy

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// judgeLocalPart judges the local-part of an address as a part of a link, and by the
// Email Security Profile (UTS #39 §3.3). The words of a local-part may have different
// scripts, as in "иван+news".
func judgeLocalPart(out *collector, c engine.Components, set *protectedSet) {
	local := c.Userinfo
	if c.Scheme != "" { // without mailto: a percent sign means itself
		local = percent.Decode(local)
	}
	if strings.HasPrefix(local, `"`) {
		out.note(quotedLocalPart.finding(local))
	}
	readPart(out, c.Userinfo, set, scriptsInLocalPart, scriptsInLocalPart)
	if ascii.Is(local) {
		return
	}
	s := nativeForm(withoutJoiners(local))
	a := uts39.Analyze(s)
	if a.MixedNumbers {
		out.note(digitsInLocalPart.finding(local))
	}
	unusual := Finding{}
	if !a.Allowed {
		unusual = unusualInLocalPart(local, s)
	}
	if unusual.Severity == SeverityNone && !norm.NFKC.IsNormalString(s) {
		unusual = variantInLocalPart.finding(local)
	}
	out.note(unusual)
}

// lastNative ends the blocks of letters that keyboards write; the compatibility forms of letters
// come after it.
const lastNative = 0xf8ff

// nativeForm returns s with letters of Asian scripts in NFKC if keyboards write them in another
// form, such as the vowel of "น้ำ" (U+0E33).
func nativeForm(s string) string {
	var b strings.Builder
	for _, r := range s {
		script := ucd.ScriptOf(r)
		if r < utf8.RuneSelf || r > lastNative || european.With(ucd.ScriptZyyy).With(ucd.ScriptZinh).Has(script) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(norm.NFKC.String(string(r)))
	}
	return b.String()
}

// unusualInLocalPart reports the worst character of s that is outside the General
// Security Profile. s is the local-part without joiners.
func unusualInLocalPart(local, s string) Finding {
	r, restricted := worstCharacter(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf { // any printable ASCII character may occur (RFC 5322 §3.2.3)
			return -1
		}
		return r
	}, s))
	switch {
	case restricted == nil:
		return Finding{}
	case restricted.types&(harmlessTypes|ucd.NotXID) != 0:
		return rareInLocalPart.finding(local, r, restricted.name)
	}
	return restrictedInLocalPart.finding(local, r, restricted.name)
}
