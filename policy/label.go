package policy

import (
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// judgeLabel runs the rules for one label of a host, a U-label that is not all
// ASCII. top is the last label of the host.
func judgeLabel(out *collector, label, top string) {
	s := withoutJoiners(label)
	a := uts39.Analyze(s)
	if !a.Allowed {
		if f := restrictedCharacter(label, s); f.Severity != SeverityNone {
			out.noteHost(f)
			out.noteHost(syntaxCharacter(label, s))
		}
	}
	out.noteHost(mixedScript(label, s, a))
	if a.MixedNumbers {
		out.noteHost(digitSystems.finding(label))
	}
	out.noteHost(wholeScript(label, s, top, a))
	out.noteHost(digitLookalike(label, s, top, a))
	out.noteHost(deceptiveMark(label, s))
	out.noteHost(strayKana(label, s))
}

// mixedScript reports a label with scripts that do not go together (UTS #39
// §5.2). a is the analysis of s, the label without joiners.
func mixedScript(label, s string, a uts39.Analysis) Finding {
	mixture := a.Mixture()
	if mixture >= uts39.ModeratelyRestrictive {
		if r := foreignMark(s); r != 0 {
			return strayMark.finding(label, r)
		}
	}
	switch {
	case mixture >= uts39.ModeratelyRestrictive && areWords(s):
		return wordsOfSeveralScripts.finding(label, scriptNames(s))
	case mixture == uts39.MinimallyRestrictive:
		return clashingScripts.finding(label, scriptNames(s))
	case mixture == uts39.ModeratelyRestrictive:
		return latinWithScript.finding(label, scriptNames(s))
	}
	return Finding{}
}

// foreignMark returns the first mark of s that the script of its letters does not use, if all
// letters are of one script; otherwise 0.
func foreignMark(s string) rune {
	scripts := scriptsOf(s)
	if scripts.Len() > 1 {
		return 0
	}
	for _, r := range s {
		extensions := ucd.IdentityOf(r).Extensions()
		if ucd.IsMark(r) && !extensions.Has(ucd.ScriptZinh) && extensions.And(scripts).IsEmpty() {
			return r
		}
	}
	return 0
}

// areWords reports whether each word of s between hyphens has one script: "cfp-франк". It is false
// if a word is an impersonated name, or reads as Latin although it has another script.
func areWords(s string) bool {
	for word := range strings.SplitSeq(s, "-") {
		if uts39.Analyze(word).Mixture() > uts39.SingleScriptOnly || !ascii.Is(word) && (readsASCII(word) != "" || readsLatin(word)) || impersonatedNames[word] {
			return false
		}
	}
	return true
}

// harmlessTypes has the Identifier_Types that are outside the General Security
// Profile only because few people need their characters (UTS #39 §3.1).
const harmlessTypes = ucd.LimitedUse | ucd.UncommonUse

// A restrictedType is an Identifier_Type that is outside the General Security Profile.
type restrictedType struct {
	types ucd.IdentifierType
	name  string // for a detail
}

// restrictedTypes has these types, the worst first.
var restrictedTypes = []restrictedType{
	{ucd.NotCharacter, "not in use yet"},
	{ucd.DefaultIgnorable, "invisible"},
	{ucd.Deprecated, "out of use"},
	{ucd.NotXID, "a symbol or punctuation"},
	{ucd.NotNFKC, "a special form of another one"},
	{ucd.Exclusion, "of an alphabet that is not in use"},
	{ucd.Obsolete, "obsolete"},
	{ucd.Technical, "for technical use"},
	{ucd.UncommonUse, "uncommon"},
	{ucd.LimitedUse, "of an alphabet of limited use"},
}

// inUse are letters outside the profile that honest names have: Yiddish spells words with the
// Hebrew rafe, and old Malayalam spelling is common.
const inUse = "\u05bf\u0d4c"

// restrictedCharacter reports the worst character of s that is outside the
// General Security Profile (UTS #39 §3.1). s is the label without joiners.
func restrictedCharacter(label, s string) Finding {
	r, restricted := worstCharacter(s)
	switch {
	case restricted == nil:
		return Finding{}
	case restricted.types&harmlessTypes != 0:
		return rareLetter.finding(label, r, restricted.name)
	}
	return restrictedLetter.finding(label, r, restricted.name)
}

// worstCharacter returns the worst character of s that is outside the General Security
// Profile, with its type, or nil.
func worstCharacter(s string) (rune, *restrictedType) {
	worst, grave := rune(-1), len(restrictedTypes)
	for _, r := range s {
		t := ucd.IdentityOf(r).Types()
		if t.Allowed() {
			continue
		}
		if strings.ContainsRune(inUse, r) {
			t &^= ucd.Technical | ucd.Obsolete
		}
		for i := range restrictedTypes[:grave] {
			if t&restrictedTypes[i].types != 0 {
				worst, grave = r, i
				break
			}
		}
	}
	switch {
	case worst < 0:
		return worst, nil
	case unicode.Is(unicode.Cc, worst):
		return worst, &restrictedType{ucd.NotCharacter, "a control character"}
	case unicode.Is(unicode.Co, worst):
		return worst, &restrictedType{ucd.NotCharacter, "for private use"}
	}
	return worst, &restrictedTypes[grave]
}

// syntaxCharacter reports the first character of s that looks like URL syntax and is outside the
// General Security Profile. The rules for mixed scripts judge such characters within the profile,
// for example the visarga.
func syntaxCharacter(label, s string) Finding {
	for _, r := range s {
		if r < 0x80 || ucd.IdentityOf(r).Allowed() {
			continue
		}
		if like := syntaxLike(r); like != "" {
			return likeSyntax.finding(label, r, printable(like))
		}
	}
	return Finding{}
}
