package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// noteOutcome makes a finding of a message that was not read to its end.
func (w *work) noteOutcome() {
	reasons := make([]string, len(w.report.Reasons))
	for i, reason := range w.report.Reasons {
		reasons[i] = string(reason)
	}
	if _, code := w.rule.On.outcome(w.report.Outcome); code != "" {
		w.note(code, strings.Join(reasons, ", "), w.report.Reasons...)
	}
}

// decide chooses the action: the strictest that the rule asks for because of
// the worst finding, of what could not be read, and of an edit not done. A
// message that was not read has both, and the stricter action wins.
func (w *work) decide() {
	r := &w.report
	r.Action, r.Because = ActionNone, ""
	raise := func(a Action, because string) {
		if a > r.Action {
			r.Action, r.Because = a, because
		}
	}
	worst := r.worst()
	raise(w.rule.On.severity(worst.Severity), string(worst.Code))
	action, code := w.rule.On.outcome(r.Outcome)
	raise(action, string(code))
	if reason := w.notEditable(); reason != "" {
		raise(w.rule.IfNotEditable.action(), string(reason))
	}
}

// notEditable returns the reason why an edit that the rule asks for, and the
// message needs, was not done; "" where there was none to do. It is that of the
// first plain text: no other can be the message's.
func (w *work) notEditable() Reason {
	r := &w.report
	if w.rule.HTML == HTMLNever && w.rule.Plain == PlainKeep || r.Edited || r.OptedOut {
		return ""
	}
	for _, p := range r.Parts {
		if p.MediaType != "text/plain" {
			continue
		}
		if noEditNeeded[p.NotDone] {
			return ""
		}
		return p.NotDone
	}
	if len(r.Parts) == 0 && !noEditNeeded[r.NotDone] {
		return r.NotDone // the message was not read
	}
	return ""
}

// noEditNeeded are the reasons for which a part is not edited that are no
// failure: there is nothing to make readable, or it is not the message's text.
var noEditNeeded = map[Reason]bool{
	"": true, ReasonNotAsked: true, ReasonNothing: true, ReasonNoText: true, ReasonOptedOut: true,
	ReasonHTMLSibling: true, ReasonInMessage: true, ReasonAttachment: true, ReasonNamed: true, ReasonNotFirst: true,
}

// finish decides the action and puts the header edits on top of those of the
// content.
func (w *work) finish(content Result) Result {
	if len(content.Plan.Header) > maxOtherEdits {
		w.undone(ReasonHeaderEdits)
		content = Result{}
	}
	w.noteOutcome()
	w.noteUnaligned()
	w.noteSignedBefore()
	result, reason := w.conclude(content)
	if reason != "" && w.report.Edited {
		w.undone(reason)
		result, _ = w.conclude(Result{})
	}
	return w.carriedOut(result)
}

// conclude decides the action for a message with this content, edits its header
// as that asks for, and signs it. The reason is why it is not signed although it
// must be if it was edited.
func (w *work) conclude(content Result) (Result, Reason) {
	w.decide()
	result := w.withHeader(content, w.headerEdits(content.Plan))
	return w.sign(result)
}

// undone notes that the edit was given up.
func (w *work) undone(reason Reason) {
	r := &w.report
	for i := range r.Parts {
		if r.Parts[i].Edited {
			r.Parts[i].Edited, r.Parts[i].NotDone = false, reason
		}
	}
	r.Edited, r.NotDone = false, reason
}

// withHeader adds header edits to a result. Where they cannot be made, the
// result stays as it is and the report says so.
func (w *work) withHeader(content Result, edits []mime.HeaderEdit) Result {
	if len(edits) == 0 {
		return content
	}
	fail := func(reason Reason) Result {
		w.report.Tagged, w.report.HeaderNotDone = false, reason
		return content
	}
	if w.ctx.Err() != nil {
		return fail(ReasonDeadline)
	}
	if w.cut && w.message.Root.BodyStart == len(w.message.Raw) {
		return fail(ReasonMessageTooLarge) // the header need not end here
	}
	edited, bodyStart, err := w.applied(content.Plan, edits)
	if err != nil {
		return fail(reasonOf(err, mime.ReasonVerify))
	}
	content.HeaderEdits = edits
	if !w.env.Truncated {
		content.Edited, content.BodyStart = append(edited, w.beyond...), bodyStart
	}
	return content
}

// applied carries out a plan and more edits of the header, and verifies the result.
func (w *work) applied(plan mime.Plan, edits []mime.HeaderEdit) (edited []byte, bodyStart int, err error) {
	plan.Header = slices.Concat(plan.Header, edits)
	if edited, bodyStart, err = w.message.Apply(plan); err != nil {
		return nil, 0, err
	}
	return edited, bodyStart, w.message.Verify(plan, edited)
}

// carriedOut completes a result. Of a rule on trial only the report is left.
func (w *work) carriedOut(result Result) Result {
	if w.rule.DryRun {
		w.report.DryRun = true
		return Result{Report: w.report}
	}
	result.Action = w.report.Action
	result.Report = w.report
	return result
}

// worst returns the worst finding about the message or a link in it, but for those
// with the codes to skip.
func (r *Report) worst(skip ...policy.Code) policy.Finding {
	var worst policy.Finding
	for _, f := range r.Findings {
		if f.Severity > worst.Severity && !slices.Contains(skip, f.Code) {
			worst = f
		}
	}
	for i := range r.Links {
		for _, f := range r.Links[i].Verdict.Findings {
			if f.Severity > worst.Severity {
				worst = f
			}
		}
	}
	return worst
}
