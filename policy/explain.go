package policy

import (
	"strings"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// A Label explains one label of a host.
type Label struct {
	Unicode string // U-label
	ASCII   string // A-label; "" where it has none
	Scripts []ucd.Script
	// Level is the restriction level (UTS #39 §5.2). That of a label with
	// ZWJ or ZWNJ is judged without them.
	Level uts39.Level
	// Characters are the non-ASCII characters, each once, in order.
	Characters []Character
}

// A Character explains one character of a label.
type Character struct {
	Rune   rune
	Script ucd.Script
	// Allowed reports Identifier_Status Allowed (UTS #39 §3.1).
	Allowed bool
	// LooksLike is the ASCII string that the character looks like; "" for
	// none.
	LooksLike string
}

// Explain explains the labels of a link's host, in order. It returns nothing
// for an IP address.
func Explain(l engine.Link) []Label {
	h := newHost(l, l.Components().Host)
	if isIP(h.ascii) || h.unicode == "" {
		return nil
	}
	var list []Label
	for label := range labels(strings.TrimSuffix(h.unicode, ".")) {
		e := Label{Unicode: label, Level: uts39.LevelOf(withoutJoiners(label))}
		if ascii, err := idna.Punycode.ToASCII(label); err == nil {
			e.ASCII = ascii
		}
		e.Scripts = scriptsOf(label).Append(nil)
		e.Characters = characters(label)
		list = append(list, e)
	}
	return list
}

// scriptsOf returns the scripts of the characters of s, Common and Inherited
// aside.
func scriptsOf(s string) ucd.ScriptSet {
	var set ucd.ScriptSet
	for _, r := range s {
		if script := ucd.ScriptOf(r); script != ucd.ScriptZyyy && script != ucd.ScriptZinh {
			set = set.With(script)
		}
	}
	return set
}

// characters explains the non-ASCII characters of a label.
func characters(label string) []Character {
	var list []Character
	seen := map[rune]bool{}
	for _, r := range label {
		if r < 0x80 || seen[r] {
			continue
		}
		seen[r] = true
		id := ucd.IdentityOf(r)
		c := Character{Rune: r, Script: id.Script(), Allowed: id.Allowed()}
		if p := uts39.Skeleton(string(r)); isASCII(p) {
			c.LooksLike = p
		}
		list = append(list, c)
	}
	return list
}
