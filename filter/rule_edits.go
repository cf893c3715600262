package filter

import "github.com/linkmilter/linkmilter/filter/rule"

// editsHTML reports whether the rule asks for edits of HTML parts.
func editsHTML(u *rule.Rule) bool {
	return u.Edit != rule.EditNever && (u.ReadableHTML || u.Edit == rule.EditFlagged)
}

// defangsPlain reports whether the rule defangs the flagged links of plain texts.
func defangsPlain(u *rule.Rule) bool {
	return u.Flagged == rule.FlaggedDefang && u.Plain == rule.PlainReadable && u.Edit != rule.EditNever
}

// defangsHTML reports whether the rule defangs the flagged links of HTML.
func defangsHTML(u *rule.Rule) bool { return u.Flagged == rule.FlaggedDefang && editsHTML(u) }
