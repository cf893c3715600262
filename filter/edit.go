package filter

import (
	"context"
	"io"
	"slices"

	"github.com/linkmilter/linkmilter/filter/html"
	"github.com/linkmilter/linkmilter/mime"
)

// edit plans what the rule asks for, applies and verifies it. Of a message at
// most one text is edited: only the first body part passes the guards.
func (w *work) edit() Result {
	var result Result
	w.findReasons()
	for i := range w.texts {
		t := &w.texts[i]
		part := &w.report.Parts[t.part]
		switch {
		case part.NotDone != "":
		case result.Edited != nil:
			part.NotDone = ReasonNotFirst
		default:
			result, part.NotDone = w.editText(t)
		}
	}
	w.report.done()
	return result
}

// findReasons sets why each part of the report is not edited; it stays empty for
// those that shall be.
func (w *work) findReasons() {
	asked := w.rule.HTML != HTMLNever || w.rule.Plain != PlainKeep
	for i := range w.report.Parts {
		p := &w.report.Parts[i]
		switch {
		case !asked:
			p.NotDone = ReasonNotAsked
		case w.report.OptedOut:
			p.NotDone = ReasonOptedOut
		case p.MediaType != "text/plain" && p.Outcome != OutcomeUnread:
			p.NotDone = notPlain
		default:
			p.NotDone = p.Reason
		}
	}
	if !asked || w.report.OptedOut {
		return
	}
	for i := range w.texts {
		t := &w.texts[i]
		p := &w.report.Parts[t.part]
		if !w.wantsAlternative(t) && !w.wantsRewrite(t) {
			p.NotDone = ReasonNothing
		} else if p.NotDone == "" {
			p.NotDone = w.guard(t)
		}
	}
}

// wantsAlternative reports whether the rule asks for an alternative of a text.
func (w *work) wantsAlternative(t *text) bool {
	return w.rule.HTML == HTMLAlways || w.rule.HTML == HTMLNeeded && t.needsAlternative(w.rule.Flagged)
}

// wantsRewrite reports whether the rule asks for links of a text to be rewritten.
func (w *work) wantsRewrite(t *text) bool {
	return w.rule.Plain == PlainReadable && t.needsRewrite(w.rule.Flagged)
}

// needsAlternative reports whether an HTML alternative shows more than the
// text.
func (t *text) needsAlternative(flagged Flagged) bool {
	return t.needsDefang(flagged) || slices.ContainsFunc(t.links, func(l Found) bool { return l.needsAlternative() })
}

// editText edits a text as the rule asks. Where it may not, it returns an empty
// result and the reason.
func (w *work) editText(t *text) (Result, Reason) {
	// What is signed is 7-bit. A text that has to keep its bytes stays as it is.
	plan := mime.Plan{SevenBit: w.rule.Plain == PlainReadable && w.toSign()}
	reason := ReasonNothing
	if w.wantsRewrite(t) || plan.SevenBit && w.wantsAlternative(t) {
		if failed := w.planRewrite(&plan, t); failed != "" {
			if t.needsDefang(w.rule.Flagged) {
				return Result{}, failed // an edit would say that they are defanged
			}
			reason = failed
		}
	}
	if w.wantsAlternative(t) {
		if failed := w.planAlternative(&plan, t); failed != "" {
			return Result{}, failed
		}
	}
	if plan.Empty() {
		return Result{}, reason
	}
	return w.apply(plan)
}

// planRewrite plans the rewrites of a text. The reason is why it could not.
func (w *work) planRewrite(plan *mime.Plan, t *text) Reason {
	edits, reason := w.rewrites(t)
	if reason != "" {
		return reason
	}
	if err := w.message.RewriteText(plan, t.leaf, edits); err != nil {
		return reasonOf(err, mime.ReasonInvalidPlan)
	}
	return ""
}

// planAlternative plans the HTML alternative of a text. The reason is why it could
// not.
func (w *work) planAlternative(plan *mime.Plan, t *text) Reason {
	links, ok := w.shown(t)
	if !ok {
		return ReasonNotDefanged
	}
	if err := w.message.AddAlternativeFrom(plan, t.leaf, w.document(t.content, links)); err != nil {
		return reasonOf(err, mime.ReasonInvalidPlan)
	}
	return ""
}

// apply carries out a plan and verifies the result.
func (w *work) apply(plan mime.Plan) (Result, Reason) {
	if w.ctx.Err() != nil {
		return Result{}, ReasonDeadline
	}
	limits := w.filter.limits
	room := w.env.Room
	w.env.Room = nil // where what is written anew is refused, what was written first must be there
	edited, bodyStart, err := w.message.ApplyIn(room, plan)
	switch {
	case err != nil:
		return Result{}, reasonOf(err, mime.ReasonInvalidPlan)
	case len(edited) > limits.Result:
		return Result{}, ReasonResult
	case len(edited)-len(w.message.Raw) > limits.Growth:
		return Result{}, ReasonGrowth
	case w.ctx.Err() != nil:
		return Result{}, ReasonDeadline
	}
	if err := w.message.Verify(plan, edited); err != nil {
		return Result{}, reasonOf(err, mime.ReasonVerify)
	}
	if w.ctx.Err() != nil {
		return Result{}, ReasonDeadline
	}
	return Result{Plan: plan, Edited: edited, BodyStart: bodyStart}, ""
}

// document returns a text with its links as an HTML document.
func (w *work) document(content string, links []html.Link) mime.Source {
	return func(out io.Writer) error {
		return html.Write(&bounded{out: out, ctx: w.ctx, left: w.filter.limits.Growth}, content, links)
	}
}

// bounded is a writer that fails when more than so many octets are written, or
// when the caller's time is over.
type bounded struct {
	out       io.Writer
	ctx       context.Context
	left      int
	unchecked int // octets written since the context was asked
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, stopped(ReasonGrowth)
	}
	if b.unchecked += len(p); b.unchecked > checkOctets {
		b.unchecked = 0
		if b.ctx.Err() != nil {
			return 0, stopped(ReasonDeadline)
		}
	}
	return b.out.Write(p)
}

// checkOctets is after how many octets the deadline is looked at.
const checkOctets = 64 << 10

// stopped is the error of work that was given up.
type stopped Reason

func (s stopped) Error() string { return string(s) }

// shown returns the links of a text as the alternative shows them, and what is defanged
// beside them. It reports whether nothing that is seen holds a flagged link where the
// rule defangs them.
func (w *work) shown(t *text) ([]html.Link, bool) {
	s := w.splice(t, (*Found).seen)
	if s.defang && !s.settle(s.flagged) {
		return nil, false
	}
	links := make([]html.Link, 0, len(s.replaced))
	for i := range s.replaced {
		r := &s.replaced[i]
		shown := html.Link{Start: r.start, End: r.end, Display: r.new}
		if r.found != nil && r.found.Linked {
			shown.Href = r.found.Href
		}
		links = append(links, shown)
	}
	return links, true
}

// seen returns what an alternative shows in place of a link; "" for one that stays as
// it was typed.
func (l *Found) seen(Flagged) string {
	if l.Broken || l.Display == l.Link.Text {
		return ""
	}
	return l.Display
}
