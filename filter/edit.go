package filter

import (
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// edit is the planned edit of a message's body. At most one text is edited: only the
// first body part passes the guards.
type edit struct {
	plan     mime.Plan       // empty where the body stays
	notDone  []report.Reason // for each part of the reading why it is not edited; "" for the edited one
	reason   report.Reason   // why the message is not edited; "" where it is
	optedOut bool            // a trusted sender asked to leave the message alone
	// readAgain says that programs may read an edited part in another way, in which nothing may
	// open a flagged link or hold one that the rule defangs either.
	readAgain bool
	// defanged are the links of the edited text where defanging reached honest ones,
	// from the index first of the reading on; nil where all links are as read.
	defanged []report.Found
	first    int
}

// planned reports whether the body is edited.
func (e *edit) planned() bool { return !e.plan.Empty() }

// dropped returns the edit that is given up for a reason.
func (e *edit) dropped(reason report.Reason) edit {
	kept := edit{notDone: make([]report.Reason, len(e.notDone)), reason: reason, optedOut: e.optedOut}
	for i, r := range e.notDone {
		if kept.notDone[i] = r; r == "" {
			kept.notDone[i] = reason
		}
	}
	return kept
}

// none returns the edit of a message that is left alone for a reason.
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

// notEdited returns why a message is not edited: the reason of the first part that
// should have been edited, or else of the first part.
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

// firstFailure returns why a text was not edited that the rule wants to edit, or "" if all were
// edited that need it. Only the first plain text can be the text of the message.
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

// unlinks reports whether flagged links of HTML parts shall not open. Own users may mean
// them, such as one to an intranet whose text names another host: in their mail, unlink is
// for a rule that edits flagged messages only.
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
