package uts39

import "github.com/linkmilter/linkmilter/engine/ucd"

// anywhere are the scripts of characters that are used with every script.
var anywhere = ucd.Scripts(ucd.ScriptZyyy, ucd.ScriptZinh)

// Augmented returns the augmented script set of r (UTS #39 §5.1): its
// Script_Extensions, with the writing systems that a script of East Asia is
// part of; all scripts where r is used with any (Common, Inherited).
func Augmented(r rune) ucd.ScriptSet { return augment(ucd.IdentityOf(r)) }

func augment(id ucd.Identity) ucd.ScriptSet {
	s := id.Extensions()
	if !s.And(anywhere).IsEmpty() {
		return ucd.AllScripts()
	}
	if s.Has(ucd.ScriptHani) {
		s = s.With(ucd.ScriptHanb).With(ucd.ScriptJpan).With(ucd.ScriptKore)
	}
	if s.Has(ucd.ScriptHira) || s.Has(ucd.ScriptKana) {
		s = s.With(ucd.ScriptJpan)
	}
	if s.Has(ucd.ScriptHang) {
		s = s.With(ucd.ScriptKore)
	}
	if s.Has(ucd.ScriptBopo) {
		s = s.With(ucd.ScriptHanb)
	}
	return s
}
