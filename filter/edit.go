package filter

import (
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// edit is the planned edit of a message's body. At most one text is edited: only the
// first body part passes the guards.
type edit struct {
	plan     mime.Plan       // empty if the body stays
	notDone  []report.Reason // for each part of the reading: why it is not edited; "" for the edited part
	reason   report.Reason   // why the message is not edited; "" if it is edited
	optedOut bool            // a trusted sender asked to leave the message alone
	// readAgain asks to read the edited message again, because programs may read an edited part in
	// another way. There, too, nothing may open a flagged link, and no text may keep a link that the
	// rule defangs.
	readAgain bool
	// defanged has the links of the edited text if defanging reached honest links, too. They replace
	// the links of the reading from the index first on. nil: all links are as read.
	defanged []report.Found
	first    int
}

// planned reports whether the body is edited.
func (e *edit) planned() bool { return !e.plan.Empty() }

// dropped returns an edit that changes nothing, with the reason why this one was given up.
func (e *edit) dropped(reason report.Reason) edit {
	kept := edit{notDone: make([]report.Reason, len(e.notDone)), reason: reason, optedOut: e.optedOut}
	for i, r := range e.notDone {
		if kept.notDone[i] = r; r == "" {
			kept.notDone[i] = reason
		}
	}
	return kept
}

// none returns an edit that changes nothing, because of reason.
func none(r *reading, reason report.Reason, optedOut bool) edit {
	e := edit{notDone: make([]report.Reason, len(r.parts)), reason: reason, optedOut: optedOut}
	for i := range e.notDone {
		e.notDone[i] = reason
	}
	return e
}

// asksForEdit reports whether the rule asks for edits of texts.
func asksForEdit(u *rule.Rule) bool {
	return u.Edit != rule.EditNever && (u.HTML != rule.HTMLNever || u.Plain == rule.PlainReadable || editsHTML(u))
}

// notEdited returns why a message is not edited: the reason of the first part that the rule wants to
// edit, otherwise that of the first part.
func notEdited(parts []report.Reason) report.Reason {
	var chosen report.Reason
	for _, reason := range parts {
		if chosen == "" || chosen == reasonNothing && reason != reasonNotPlain || chosen == reasonNotPlain {
			chosen = reason
		}
	}
	if chosen == "" {
		return reasonNoText
	}
	return chosen
}

// firstFailure returns why a text that the rule wants to edit was not edited. It returns "" if every
// text that needs an edit got one. Among plain texts only the first can be the text of the message.
func firstFailure(r *reading, u *rule.Rule, notDone []report.Reason) report.Reason {
	plain := u.HTML == rule.HTMLNever && u.Plain != rule.PlainReadable && !removesUnseen(u)
	for i, p := range r.parts {
		switch {
		case p.MediaType == "text/plain" && !plain:
			plain = true
		case p.MediaType == "text/html" && editsHTML(u):
		default:
			continue
		}
		if reason := failure(notDone[i]); reason != "" {
			return reason
		}
	}
	return ""
}

// unlinks reports whether flagged links of HTML parts must no longer open. In mail of the operator's
// users a flagged link may be meant, such as one to an intranet whose text names another host. There
// only a rule unlinks that defangs, or that edits just flagged messages.
func unlinks(u *rule.Rule) bool {
	switch u.Flagged {
	case rule.FlaggedLink:
		return false
	case rule.FlaggedDefang:
		return editsLinks(u)
	}
	return editsLinks(u) && (!u.Trusted || u.Edit == rule.EditFlagged)
}

// editsHTML reports whether the rule asks for edits of HTML parts.
func editsHTML(u *rule.Rule) bool { return editsLinks(u) || removesUnseen(u) }

// editsLinks reports whether the rule asks for edits of the links in HTML parts.
func editsLinks(u *rule.Rule) bool {
	return u.Edit != rule.EditNever && (u.ReadableHTML || u.Edit == rule.EditFlagged)
}

// defangsPlain reports whether the rule defangs the flagged links of plain texts.
func defangsPlain(u *rule.Rule) bool {
	return u.Flagged == rule.FlaggedDefang && u.Plain == rule.PlainReadable && u.Edit != rule.EditNever
}

// defangsHTML reports whether the rule defangs the flagged links of HTML.
func defangsHTML(u *rule.Rule) bool { return u.Flagged == rule.FlaggedDefang && editsLinks(u) }
