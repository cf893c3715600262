package policy

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// european has the scripts that use diacritics of the common block.
var european = ucd.Scripts(ucd.ScriptLatn, ucd.ScriptGrek, ucd.ScriptCyrl)

// japanese has the scripts of Japanese and Chinese text.
var japanese = ucd.Scripts(ucd.ScriptHira, ucd.ScriptKana, ucd.ScriptHani, ucd.ScriptBopo)

// scriptsOf returns the scripts of the characters of s, without Common and
// Inherited (UAX #24).
func scriptsOf(s string) ucd.ScriptSet {
	var set ucd.ScriptSet
	for _, r := range s {
		if script := ucd.ScriptOf(r); script != ucd.ScriptZyyy && script != ucd.ScriptZinh {
			set = set.With(script)
		}
	}
	return set
}

// scriptNames returns the names of the scripts of s in the order of their codes, for the detail of
// a finding: "Latin, Cyrillic".
func scriptNames(s string) string {
	var names []string
	for _, script := range scriptsOf(s).Append(nil) {
		names = append(names, script.String())
	}
	return strings.Join(names, ", ")
}

// isJoiner reports whether r is ZWNJ or ZWJ.
func isJoiner(r rune) bool { return r == 0x200c || r == 0x200d }

// withoutJoiners returns the label without ZWNJ and ZWJ, the two invisible characters that
// languages need. IDNA refuses them in wrong places (RFC 5892 appendix A), so the rules for labels
// ignore them.
func withoutJoiners(label string) string {
	if strings.IndexFunc(label, isJoiner) < 0 {
		return label
	}
	return strings.NewReplacer("\u200c", "", "\u200d", "").Replace(label)
}

// prototype returns the prototype of r in confusables.txt (UTS #39 §4); "" if r
// has none.
func prototype(r rune) string {
	if c := ucd.ConfusableOf(r); c != 0 {
		return c.Prototype()
	}
	return ""
}

// syntaxCharacters has the delimiters of the parts of a URL, and the percent
// sign (RFC 3986 §2).
const syntaxCharacters = `/\.:?#@%&=[]`

// syntaxLike returns the text that r looks like, or that NFKC maps it to, if
// this text has a character of URL syntax; else "".
func syntaxLike(r rune) string {
	for _, like := range [...]string{uts39.Skeleton(string(r)), norm.NFKC.String(string(r))} {
		if strings.ContainsAny(like, syntaxCharacters) {
			return like
		}
	}
	return ""
}

// printable returns s for the detail of a finding, with each character that is not printable ASCII
// as U+XXXX.
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
