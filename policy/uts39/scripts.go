package uts39

import "github.com/linkmilter/linkmilter/internal/ucd"

// anywhere has the values of Script for characters that every script uses.
var anywhere = ucd.Scripts(ucd.ScriptZyyy, ucd.ScriptZinh)

// augment returns the augmented script set of the character with this identity (UTS #39 §5.1): its
// Script_Extensions, with the writing systems to which an East Asian script belongs. If every
// script uses the character (Common, Inherited), it is the set of all scripts.
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
