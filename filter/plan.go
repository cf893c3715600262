package filter

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/iofunc"
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
func asksForEdit(u *rule.Rule) bool { return u.HTML != rule.HTMLNever || u.Plain == rule.PlainReadable }

// planner plans the edit of a body.
type planner struct {
	ctx      context.Context
	judge    *judge
	limits   *Limits
	rule     *rule.Rule
	sevenBit bool // the result is signed, and the signer wants edited texts to be 7-bit
}

// plan plans the edit that the rule asks for, where no guard forbids it.
func (p *planner) plan(r *reading, optedOut bool) edit {
	e := edit{notDone: p.reasons(r, optedOut), optedOut: optedOut}
	for i := range r.texts {
		t := &r.texts[i]
		switch {
		case e.notDone[t.part] != "":
		case e.planned():
			e.notDone[t.part] = reasonNotFirst
		default:
			// Defanging may change how honest links beside flagged ones are shown.
			shown := *t
			shown.links = slices.Clone(t.links)
			e.plan, e.notDone[t.part] = p.text(r.message, &shown)
			e.defanged, e.first = shown.links, t.at
		}
	}
	if !e.planned() {
		e.reason, e.defanged = notEdited(e.notDone), nil
	}
	return e
}

// reasons returns for each part why it is not edited, "" where it shall be.
func (p *planner) reasons(r *reading, optedOut bool) []report.Reason {
	notDone := make([]report.Reason, len(r.parts))
	asked := asksForEdit(p.rule)
	for i, part := range r.parts {
		switch {
		case !asked:
			notDone[i] = reasonNotAsked
		case optedOut:
			notDone[i] = reasonOptedOut
		case part.MediaType != "text/plain" && part.Outcome != report.OutcomeUnread:
			notDone[i] = reasonNotPlain
		default:
			notDone[i] = cmp.Or(part.Reason, part.Locked)
		}
	}
	if !asked || optedOut || len(r.texts) == 0 {
		return notDone
	}
	first := messageGuard(r, p.rule)
	for i := range r.texts {
		t := &r.texts[i]
		if !p.wantsAlternative(t) && !p.wantsRewrite(t) {
			notDone[t.part] = reasonNothing
		} else if notDone[t.part] == "" {
			notDone[t.part] = guardOf(r, t, p.limits, first)
		}
	}
	return notDone
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

// wantsAlternative reports whether the rule asks for an alternative of a text.
func (p *planner) wantsAlternative(t *text) bool {
	return p.rule.HTML == rule.HTMLAlways || p.rule.HTML == rule.HTMLNeeded && t.needsAlternative(p.rule.Flagged)
}

// wantsRewrite reports whether the rule asks for links of a text to be rewritten.
func (p *planner) wantsRewrite(t *text) bool {
	return p.rule.Plain == rule.PlainReadable && t.needsRewrite(p.rule.Flagged)
}

// needsAlternative reports whether an HTML alternative shows more than the text.
func (t *text) needsAlternative(flagged rule.Flagged) bool {
	return t.needsDefang(flagged) || slices.ContainsFunc(t.links, func(l report.Found) bool {
		// Some programs end links at the first character beyond ASCII.
		return !l.Broken && l.Display != l.Link.Text || l.Linked && !ascii.Is(l.Link.Text)
	})
}

// text plans the edit of a text as the rule asks, or returns the reason why not.
func (p *planner) text(m *mime.Message, t *text) (mime.Plan, report.Reason) {
	plan := mime.Plan{SevenBit: p.sevenBit}
	reason := reasonNothing
	wantsAlternative, wantsRewrite := p.wantsAlternative(t), p.wantsRewrite(t)
	if wantsAlternative && p.rule.NeutralOnly && p.costs(t) {
		reason = reasonCost
		wantsAlternative = false
		wantsRewrite = wantsRewrite || p.rule.Plain == rule.PlainNeeded && t.needsRewrite(p.rule.Flagged)
	}
	if wantsRewrite || plan.SevenBit && wantsAlternative {
		if failed := p.planRewrite(m, &plan, t, wantsRewrite); failed != "" {
			if wantsRewrite && t.needsDefang(p.rule.Flagged) {
				return mime.Plan{}, failed // the report would say that they are defanged
			}
			reason = failed
		}
	}
	if wantsAlternative {
		if failed := p.planAlternative(m, &plan, t); failed != "" {
			return mime.Plan{}, failed
		}
	}
	if plan.Empty() {
		return mime.Plan{}, reason
	}
	return plan, ""
}

// costs reports whether an alternative of a text would raise its score with spam
// filters. Where a flagged link is to be defanged, that counts more.
func (p *planner) costs(t *text) bool {
	if t.needsDefang(p.rule.Flagged) {
		return false
	}
	links, _ := p.shown(t)
	return t.costly(links)
}

// planRewrite plans the rewrites of a text, or returns the reason why not. Without links
// to rewrite the text is only converted.
func (p *planner) planRewrite(m *mime.Message, plan *mime.Plan, t *text, links bool) report.Reason {
	var edits []mime.Edit
	if links {
		var reason report.Reason
		if edits, reason = rewrites(p.ctx, p.judge, t, p.rule.Flagged); reason != "" {
			return reason
		}
	}
	if err := m.RewriteText(plan, t.leaf, edits); err != nil {
		return reasonOf(err)
	}
	return ""
}

// planAlternative plans the HTML alternative of a text, or returns the reason why
// not.
func (p *planner) planAlternative(m *mime.Message, plan *mime.Plan, t *text) report.Reason {
	links, ok := p.shown(t)
	if !ok {
		return reasonNotDefanged
	}
	if err := m.AddAlternative(plan, t.leaf, p.document(t.content, links)); err != nil {
		return reasonOf(err)
	}
	return ""
}

// document returns a text with its links as an HTML document.
func (p *planner) document(content string, links []alternative.Link) func(io.Writer) error {
	return func(out io.Writer) error {
		return alternative.Write(bounded(p.ctx, out, p.limits.Growth), content, links)
	}
}

// shown returns the links of a text as the alternative shows them, and the defanged
// text beside them. It reports whether the visible text has no flagged link, nor one
// that came to be, where the rule defangs them.
func (p *planner) shown(t *text) ([]alternative.Link, bool) {
	seen := seenIn(t, p.rule.NeutralOnly)
	s := newSplice(p.ctx, p.judge, t, p.rule.Flagged, func(l *report.Found, _ rule.Flagged) string { return seen(l) })
	if s.defang && !s.settle(s.exposed) {
		return nil, false
	}
	links := make([]alternative.Link, 0, len(s.replaced))
	for i := range s.replaced {
		r := &s.replaced[i]
		shown := alternative.Link{Start: r.start, End: r.end, Display: r.new}
		if r.found != nil && r.found.Linked {
			shown.Href = r.found.Href
		}
		links = append(links, shown)
	}
	return links, true
}

// checkBytes is the number of bytes after which a bounded writer checks the context.
const checkBytes = 64 << 10

// bounded returns a writer to out that fails after left bytes, or when the context ends.
func bounded(ctx context.Context, out io.Writer, left int) io.Writer {
	unchecked := 0 // bytes written since the last look at the context
	return iofunc.Writer(func(p []byte) (int, error) {
		if left -= len(p); left < 0 {
			return 0, errGrowth
		}
		if unchecked += len(p); unchecked > checkBytes {
			unchecked = 0
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		return out.Write(p)
	})
}
