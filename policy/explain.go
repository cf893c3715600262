package policy

import (
	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// A Label describes one label of a host.
type Label struct {
	Unicode string       // U-label
	ASCII   string       // A-label; "" if the label has none
	Scripts []ucd.Script // without Common and Inherited
	// Level is the restriction level (UTS #39 §5.2) of the label without ZWJ
	// and ZWNJ.
	Level uts39.Level
	// Characters has the non-ASCII characters, each once, in order.
	Characters []Character
}

// A Character describes one character of a label.
type Character struct {
	Rune   rune
	Script ucd.Script
	// Allowed is true for Identifier_Status Allowed (UTS #39 §3.1).
	Allowed bool
	// LooksLike is the ASCII string that the character looks like: its
	// skeleton (UTS #39 §4); "" if that is not ASCII.
	LooksLike string
}

// Explain returns a description of each label of the host of a link, in order.
// It returns nil for an IP address and for a link without a host.
func Explain(l engine.Link) []Label {
	h := newLinkHost(l, l.Components().Host)
	if hostname.IsIP(h.ascii) || h.unicode == "" {
		return nil
	}
	var list []Label
	for label := range labelsOf(h.name()) {
		e := Label{Unicode: label, Level: uts39.LevelOf(withoutJoiners(label))}
		if aLabel, err := idna.Punycode.ToASCII(label); err == nil {
			e.ASCII = aLabel
		}
		e.Scripts = scriptsOf(label).Append(nil)
		e.Characters = charactersOf(label)
		list = append(list, e)
	}
	return list
}

// charactersOf describes the non-ASCII characters of a label, each once.
func charactersOf(label string) []Character {
	var list []Character
	seen := map[rune]bool{}
	for _, r := range label {
		if r < 0x80 || seen[r] {
			continue
		}
		seen[r] = true
		id := ucd.IdentityOf(r)
		c := Character{Rune: r, Script: id.Script(), Allowed: id.Allowed()}
		if p := uts39.Skeleton(string(r)); ascii.Is(p) {
			c.LooksLike = p
		}
		list = append(list, c)
	}
	return list
}
