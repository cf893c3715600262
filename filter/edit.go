package filter

import (
	"github.com/linkmilter/linkmilter/filter/html"
	"github.com/linkmilter/linkmilter/mime"
)

// edit plans what the rule asks for, applies and verifies it. Of a message at
// most one text is edited: only the first body part passes the guards.
func (w *work) edit() Result {
	var result Result
	reasons := w.reasons()
	for i := range w.texts {
		t := &w.texts[i]
		if reasons[t.part] != "" {
			continue
		}
		if result.Edited != nil {
			reasons[t.part] = ReasonNotFirst
			continue
		}
		result, reasons[t.part] = w.alternative(t)
	}
	w.report.done(reasons)
	result.Report = w.report
	return result
}

// reasons returns why each part of the report is not edited; it is empty for
// those that shall be.
func (w *work) reasons() []Reason {
	reasons := make([]Reason, len(w.report.Parts))
	for i, p := range w.report.Parts {
		reasons[i] = p.Reason
		if htmlTypes[p.MediaType] && p.Outcome != OutcomeUnread {
			reasons[i] = Reason(mime.ReasonNotPlainText)
		}
		if w.rule.HTML == HTMLNever {
			reasons[i] = ReasonNotAsked
		} else if w.report.OptedOut {
			reasons[i] = ReasonOptedOut
		}
	}
	if w.rule.HTML == HTMLNever || w.report.OptedOut {
		return reasons
	}
	for i := range w.texts {
		t := &w.texts[i]
		if w.rule.HTML == HTMLNeeded && !t.needsAlternative() {
			reasons[t.part] = ReasonNothing
		} else if reasons[t.part] == "" {
			reasons[t.part] = w.guard(t)
		}
	}
	return reasons
}

// needsAlternative reports whether an HTML alternative shows more than the
// text.
func (t *text) needsAlternative() bool {
	for i := range t.links {
		if t.links[i].needsAlternative() {
			return true
		}
	}
	return false
}

// alternative adds an HTML alternative to a text. Where it may not, it returns
// an empty result and the reason.
func (w *work) alternative(t *text) (Result, Reason) {
	limits := w.filter.limits
	document, ok := html.Limited(t.content, t.shown(), limits.Growth)
	if !ok {
		return Result{}, ReasonGrowth
	}
	var plan mime.Plan
	if err := w.message.AddAlternative(&plan, t.leaf, document); err != nil {
		return Result{}, reasonOf(err, mime.ReasonInvalidPlan)
	}
	if w.ctx.Err() != nil {
		return Result{}, ReasonDeadline
	}
	edited, bodyStart, err := w.message.Apply(plan)
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

// shown returns the links of a text as the alternative shows them.
func (t *text) shown() []html.Link {
	links := make([]html.Link, len(t.links))
	for i, l := range t.links {
		links[i] = html.Link{Start: l.Link.Start, End: l.Link.End, Display: l.Display}
		if l.Linked {
			links[i].Href = l.Href
		}
	}
	return links
}
