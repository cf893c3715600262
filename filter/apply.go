package filter

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// applied is a message with its edits carried out and verified.
type applied struct {
	edits     []mime.HeaderEdit // edits of the header; the plan of the body may have further ones
	edited    []byte            // the whole message, or its known beginning; nil without edits
	bodyStart int
}

// apply carries out the edits of body and header and verifies the result once. If it applies nothing,
// the reason says why.
func apply(ctx context.Context, r *reading, body mime.Plan, edits []mime.HeaderEdit, limits *Limits) (applied, report.Reason) {
	if body.Empty() && len(edits) == 0 {
		return applied{}, ""
	}
	if !body.Empty() && ctx.Err() != nil {
		return applied{}, reasonDeadline // edits of the header alone take little time
	}
	if r.truncated && len(r.message.Body(r.message.Root)) == 0 {
		return applied{}, reasonMessageTooLarge // the header need not end here
	}
	plan := body
	plan.Header = slices.Concat(body.Header, edits)
	enter(stageApply, r.message.Raw)
	edited, bodyStart, err := r.message.Apply(plan)
	switch {
	case err != nil:
		return applied{}, reasonOf(err)
	case !body.Empty() && len(edited) > limits.Result:
		return applied{}, reasonResult
	case !body.Empty() && len(edited)-len(r.message.Raw)-growth(r.message, edits) > limits.Growth:
		return applied{}, reasonGrowth
	}
	enter(stageVerify, r.message.Raw)
	err = r.message.Verify(plan, edited)
	switch {
	case !body.Empty() && ctx.Err() != nil:
		return applied{}, reasonDeadline
	case err != nil:
		return applied{}, reasonOf(err)
	}
	return applied{edits, edited, bodyStart}, ""
}

// growth returns how many bytes edits of the header add to a message.
func growth(m *mime.Message, edits []mime.HeaderEdit) int {
	const around = len(": \r\n")
	n := 0
	for _, e := range edits {
		if e.Op == mime.OpDelete {
			n -= len(m.RawField(m.Root.Fields[e.Field]))
			continue
		}
		text, _ := e.Text("\r\n") // the plan has refused what cannot be written
		n += len(e.Name) + len(text) + around
	}
	return n
}

// withOnTop returns the applied edits with fields added on top of the header. If the rest of the
// message keeps every byte, it verifies only these fields.
func (a applied) withOnTop(r *reading, body mime.Plan, fields []mime.HeaderEdit) (applied, error) {
	edits := slices.Concat(a.edits, fields)
	plan := body
	plan.Header = slices.Concat(body.Header, edits)
	edited, bodyStart, err := r.message.Apply(plan)
	if err != nil {
		return a, err
	}
	if top, found := bytes.CutSuffix(edited, a.message(r)); !found || !holds(top, fields) {
		if err := r.message.Verify(plan, edited); err != nil {
			return a, err
		}
	}
	return applied{edits, edited, bodyStart}, nil
}

// holds reports whether the top of a header is exactly these fields.
func holds(top []byte, fields []mime.HeaderEdit) bool {
	m := mime.Parse(context.Background(), slices.Concat(top, []byte("\r\n")), mime.Limits{})
	return len(m.Problems) == 0 && slices.EqualFunc(m.Root.Fields, fields, func(f mime.Field, e mime.HeaderEdit) bool {
		_, value, _ := bytes.Cut(m.RawField(f), []byte(":"))
		return f.Name == e.Name && strings.TrimSpace(string(value)) == strings.TrimSpace(e.Value)
	})
}

// message returns the message to send on: the edited one, or the original without edits.
func (a *applied) message(r *reading) []byte {
	if a.edited != nil {
		return a.edited
	}
	return r.message.Raw
}

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
	// defanged has the links of the edited text if defanging reached honest links, too. They
	// replace the links of the reading from the index first on. It is nil if all links are as read.
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

// unlinks reports whether flagged links of HTML parts must no longer open. In mail of the
// operator's users a flagged link may be intended, such as one to an intranet whose text names
// another host. Their links are unlinked only by a rule that defangs, or that edits only flagged
// messages.
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
