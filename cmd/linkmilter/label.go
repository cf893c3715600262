package main

import (
	"strings"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// A hostLabel describes one label of a host.
type hostLabel struct {
	unicode string       // U-label
	ascii   string       // A-label; "" if the label has none
	scripts []ucd.Script // without Common and Inherited
	// level is the restriction level (UTS #39 §5.2) of the label without ZWJ
	// and ZWNJ.
	level uts39.Level
	// characters has the non-ASCII characters, each once, in order.
	characters []character
}

// A character describes one character of a label.
type character struct {
	code   rune
	script ucd.Script
	// allowed is true for Identifier_Status Allowed (UTS #39 §3.1).
	allowed bool
	// looksLike is the ASCII string that the character looks like: its
	// skeleton (UTS #39 §4); "" if that is not printable ASCII.
	looksLike string
}

// labelsOf returns a description of each label of the host of a link, in order. It
// returns nil for an IP address and for a link without a host.
func labelsOf(l engine.Link) []hostLabel {
	host := l.ASCIIHost()
	if host == "" {
		host = strings.ToLower(hostname.FullStops(l.Components().Host))
	}
	if host == "" || hostname.IsIP(l.ASCIIHost()) {
		return nil
	}
	var list []hostLabel
	for label := range strings.SplitSeq(strings.TrimSuffix(hostname.Unicode(host), "."), ".") {
		e := hostLabel{unicode: label, level: uts39.LevelOf(withoutJoiners.Replace(label))}
		if aLabel, err := idna.Punycode.ToASCII(label); err == nil {
			e.ascii = aLabel
		}
		e.scripts = scriptsOf(label)
		e.characters = charactersOf(label)
		list = append(list, e)
	}
	return list
}

// withoutJoiners removes ZWNJ and ZWJ, which languages need.
var withoutJoiners = strings.NewReplacer("\u200c", "", "\u200d", "")

// scriptsOf returns the scripts of the characters of a label, without Common and
// Inherited (UAX #24).
func scriptsOf(label string) []ucd.Script {
	var set ucd.ScriptSet
	for _, r := range label {
		if script := ucd.ScriptOf(r); script != ucd.ScriptZyyy && script != ucd.ScriptZinh {
			set = set.With(script)
		}
	}
	return set.Append(nil)
}

// charactersOf describes the non-ASCII characters of a label, each once.
func charactersOf(label string) []character {
	var list []character
	seen := map[rune]bool{}
	for _, r := range label {
		if r >= 0x80 && !seen[r] {
			seen[r] = true
			list = append(list, characterOf(r))
		}
	}
	return list
}

// characterOf describes a character.
func characterOf(r rune) character {
	id := ucd.IdentityOf(r)
	c := character{code: r, script: id.Script(), allowed: id.Allowed()}
	if like := uts39.Skeleton(string(r)); strings.IndexFunc(like, func(r rune) bool { return r <= ' ' || r > '~' }) < 0 {
		c.looksLike = like
	}
	return c
}
