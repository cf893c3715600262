package policy

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// withoutJoiners leaves out the two invisible characters that languages need.
// IDNA has made sure that they stand where they may (RFC 5892 appendix A), so
// labels are judged without them.
func withoutJoiners(label string) string {
	if strings.IndexFunc(label, isJoiner) < 0 {
		return label
	}
	return strings.NewReplacer("\u200c", "", "\u200d", "").Replace(label)
}

// label judges a U-label that is not all ASCII; top is the last label of the
// host.
func (g *judgement) label(label, top string) {
	s := withoutJoiners(label)
	a := uts39.Analyze(s)
	if !a.Allowed {
		g.restricted(label, s)
	}
	switch a.Mixture() {
	case uts39.MinimallyRestrictive:
		g.addHost(CodeMixedScript, SeverityHigh, label, "scripts that do not go together: "+scriptNames(s))
	case uts39.ModeratelyRestrictive:
		g.addHost(CodeMixedScript, SeverityMedium, label, "Latin with another script: "+scriptNames(s))
	}
	if a.MixedNumbers {
		g.addHost(CodeMixedDigits, SeverityMedium, label, "decimal digits of more than one number system")
	}
	g.wholeScript(label, s, top, a)
	g.digitLookalikes(label, s, top, a)
	g.marks(label, s)
	g.kana(label, s)
}

// scriptNames lists the scripts of the characters of s by name, in the order
// of their codes.
func scriptNames(s string) string {
	var names []string
	for _, script := range scriptsOf(s).Append(nil) {
		names = append(names, script.String())
	}
	return strings.Join(names, ", ")
}

// harmlessTypes are the types of characters that are out of the general
// security profile only because few people need them.
const harmlessTypes = ucd.LimitedUse | ucd.UncommonUse

// typeNames are the types worth naming, the gravest first.
var typeNames = []struct {
	types ucd.IdentifierType
	name  string
}{
	{ucd.NotCharacter, "unassigned"},
	{ucd.DefaultIgnorable, "invisible"},
	{ucd.Deprecated, "deprecated"},
	{ucd.NotXID, "a symbol or punctuation"},
	{ucd.NotNFKC, "a compatibility character"},
	{ucd.Exclusion, "of a script that is not in use"},
	{ucd.Obsolete, "obsolete"},
	{ucd.Technical, "for technical use"},
	{ucd.UncommonUse, "uncommon"},
	{ucd.LimitedUse, "of a script of limited use"},
}

// restricted reports the characters that are not in the general security
// profile (UTS #39 §3.1), one finding for the label with the gravest of them.
func (g *judgement) restricted(label, s string) {
	worst, grave := rune(-1), len(typeNames)
	for _, r := range s {
		t := ucd.IdentityOf(r).Types()
		if t.Allowed() {
			continue
		}
		for i, n := range typeNames {
			if t&n.types != 0 && i < grave {
				worst, grave = r, i
			}
		}
	}
	if worst < 0 {
		return
	}
	severity := SeverityMedium
	if typeNames[grave].types&harmlessTypes != 0 {
		severity = SeverityLow
	}
	g.addHost(CodeRestrictedCharacter, severity, label, fmt.Sprintf("%U is %s", worst, typeNames[grave].name))
	g.syntax(label, s)
}

// syntaxCharacters are what delimits the parts of a URL, and the percent
// sign.
const syntaxCharacters = `/\.:?#@%&=[]`

// syntax reports characters outside the general security profile that look
// like the syntax of a URL. Those in the profile, such as the visarga or an
// Arabic-Indic zero, belong to a script and are seen to by its rules.
func (g *judgement) syntax(label, s string) {
	for _, r := range s {
		if r < 0x80 || ucd.IdentityOf(r).Allowed() {
			continue
		}
		if like := syntaxLike(r); like != "" {
			g.addHost(CodeSyntaxLookalike, SeverityHigh, label, fmt.Sprintf("%U looks like %q", r, printable(like)))
			return
		}
	}
}

// syntaxLike returns the syntax of a URL that a character looks like or is
// mapped to, with what stands beside it there; "" for none.
func syntaxLike(r rune) string {
	for _, like := range [...]string{uts39.Skeleton(string(r)), norm.NFKC.String(string(r))} {
		if strings.ContainsAny(like, syntaxCharacters) {
			return like
		}
	}
	return ""
}

// printable returns s with all that is not printable ASCII as U+XXXX.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if 0x20 <= r && r < 0x7f {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "%U", r)
		}
	}
	return b.String()
}
