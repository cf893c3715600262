package uts39

import (
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// WholeScriptConfusables returns the scripts, other than those s itself
// resolves to, in which a string exists that is confusable with s
// (UTS #39 §4.1). Only characters that are allowed in identifiers and valid
// in hosts count for such strings.
//
// The set is empty for a string of mixed scripts. It is also empty for a
// string without a character of a particular script, such as a number.
func WholeScriptConfusables(s string) ucd.ScriptSet {
	own := Analyze(s).Scripts
	if own.IsEmpty() || own == ucd.AllScripts() {
		return ucd.ScriptSet{}
	}
	scripts := ucd.AllScripts()
	for _, r := range norm.NFD.String(s) {
		if ucd.IsDefaultIgnorable(r) || !ucd.IdentityOf(r).Extensions().And(anywhere).IsEmpty() {
			continue
		}
		c := ucd.ConfusableOf(r)
		if c == 0 {
			return ucd.ScriptSet{}
		}
		// A mark looks like a mark of every script that uses it.
		scripts = scripts.And(c.Scripts().Or(ucd.IdentityOf(r).Extensions()))
	}
	return scripts.Without(own)
}
