package filter

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// pipeline runs the stages for each message. It holds what they need apart from the message and its
// rule, and does not change.
type pipeline struct {
	judge      *judge.Judge   // for rules without lists
	judges     *judge.OfRules // for rules with their own lists
	limits     Limits
	maxLinks   int       // largest number of links in a message
	edit       rule.Edit // which messages may be edited, whatever their rules say
	severities severities
	signing    signing

	dryRun bool // only the report counts

	ids       []string        // of this filter and of the operator's other hosts, in lower case
	hostID    bool            // the name of the MTA takes the place of the first id
	node      string          // name of this machine in the fields; "": none
	optOut    string          // name of the field
	robots    []pattern.Glob  // addresses of programs
	authserv  []string        // ids whose Authentication-Results are trusted
	protected pattern.Domains // the operator's domains
	fallback  string          // of reasons in texts whose language nothing tells
	dnsLists  asker           // nil: none
}

// A pass is the scratch memory for one message. Nothing of it may be part of a result.
type pass struct {
	message   mime.Message
	collector collector
	env       envelope.Envelope
	rule      rule.Rule
	fields    header.Fields
	work      work
	rooms     rooms
}

// rooms are slices that the stages use again for the next message. Reports hold copies.
type rooms struct {
	links   []report.Found
	parts   []report.Part
	texts   []text
	notDone []report.Reason
}

// end clears a pass for the next message and keeps its slices.
func (p *pass) end() {
	c := &p.collector
	if cap(c.links) > maxLinksKept {
		c.links = nil
	}
	clear(c.links)
	clear(c.parts)
	clear(c.texts)
	kept := rooms{c.links[:0], c.parts[:0], c.texts[:0], p.rooms.notDone}
	*p = pass{} // cleared in place, without a copy of the struct
	p.rooms = kept
	passes.Put(p)
}

// maxLinksKept is the length up to which a pass keeps its slice of links. Few messages have more.
const maxLinksKept = 64

// passes holds passes for reuse: allocating one takes a tenth of the time of an ordinary message.
var passes = sync.Pool{New: func() any { return new(pass) }}

// run runs the stages for a message: read and judge, plan the edit of the body, decide, plan the header,
// apply and verify, sign. The rule is chosen before the stage of reading and, where rules ask for findings,
// once more after it.
func (p *pipeline) run(ctx context.Context, env envelope.Envelope, raw []byte, rules *rule.Set) (result Result) {
	all := passes.Get().(*pass)
	defer all.end()
	all.env = env
	c, u := &all.collector, &all.rule
	defer func() {
		if recover() != nil {
			c.cut(reasonPanic)
			c.settle()
			result = p.untouched(&c.reading, u, reasonPanic)
		}
	}()
	p.begin(ctx, all, raw)
	*u = rules.For(c.env, c.decoded, c.authenticated)
	c.judge = forSender(p.judges.Of(u), &c.reading)
	trusted := env.Authenticated || u.Trusted
	if trusted {
		c.judge = c.judge.ForUsers()
	}
	all.fields, c.problems = header.NewFields(c.message, &c.signatures, p.idsFor(c.env), p.node, trusted, p.optOut)
	enter(stageRead, raw)
	c.read()
	if p.dnsLists != nil && !trusted && p.dnsLists.Asks() && ctx.Err() == nil {
		if listed := p.dnsLists.Ask(ctx, c.judge.Hosts(c.links)); len(listed) > 0 {
			p.readAgain(all, raw, c.judge.WithListed(listed))
		}
	}
	w := &all.work
	if w.findings = messageFindings(&c.reading, p.severities); rules.AskFindings() {
		has := func(code policy.Code) bool { return report.Has(w.findings, c.links, code) }
		*u = rules.Judged(u, c.env, c.decoded, c.authenticated, has)
	}
	if p.edit == rule.EditNever {
		u.Edit = rule.EditNever
	}
	if u.FlaggedSender && report.IsAboutSender(w.findings, c.links) {
		c.judge = c.judge.FlaggingAll()
	}
	c.showAs(c.judge, u.Flagged)
	w.pipeline, w.ctx, w.judge = p, ctx, c.judge
	w.reading, w.rule, w.trusted, w.fields, w.notDone = &c.reading, u, trusted, &all.fields, &all.rooms.notDone
	w.carryOut(w.planBody(), &result)
	return result
}

// begin prepares a pass for a message, and parses it.
func (p *pipeline) begin(ctx context.Context, all *pass, raw []byte) {
	c := &all.collector
	c.ctx, c.judge, c.limits, c.maxLinks = ctx, p.judge, p.limits, p.maxLinks // field by field: a literal would copy the collector
	c.links, c.parts, c.texts = all.rooms.links, all.rooms.parts, all.rooms.texts
	c.message, c.env, c.robots = &all.message, &all.env, p.robots
	c.parse(raw, p.authserv)
}

// readAgain reads a message once more, by a judge that knows more. Few messages have a listed host.
func (p *pipeline) readAgain(all *pass, raw []byte, j *judge.Judge) {
	c := &all.collector
	ctx, problems := c.ctx, c.problems
	*c = collector{}
	p.begin(ctx, all, raw)
	c.judge, c.problems = j, problems
	c.read()
}

// idsFor returns the ids for a message, with this filter's own first.
func (p *pipeline) idsFor(env *envelope.Envelope) []string {
	if !p.hostID || env.Host == "" || header.ValidateID(env.Host) != nil {
		return p.ids
	}
	return slices.Concat([]string{strings.ToLower(env.Host)}, p.ids[1:])
}

// untouched returns the result for a message that stays as it came, because the work on it failed. The
// rule still decides the action.
func (p *pipeline) untouched(r *reading, u *rule.Rule, reason report.Reason) (result Result) {
	e := none(r, reason, false)
	v := decide(r, u, &e, messageFindings(r, p.severities))
	result.Action = v.action
	setReport(&result.Report, r, u, &e, &v)
	if v.action >= rule.ActionTag {
		result.Report.HeaderNotDone = reason
	}
	p.withoutTrial(&result, u)
	return result
}

// work is a message that was read, and its rule.
type work struct {
	*pipeline
	ctx      context.Context
	judge    *judge.Judge // the judge for the rule
	reading  *reading
	findings []policy.Finding // about the message
	rule     *rule.Rule
	trusted  bool // the message comes from the operator's users or machines
	fields   *header.Fields
	notDone  *[]report.Reason // room for the planner
	planner  planner
}

// planBody plans the edit of the body.
func (w *work) planBody() edit {
	enter(stagePlan, w.reading.message.Raw)
	optedOut := w.fields.OptedOut()
	switch {
	case w.reading.truncated:
		return none(w.reading, reasonMessageTooLarge, optedOut)
	case w.ctx.Err() != nil:
		return none(w.reading, reasonDeadline, optedOut)
	case slices.Contains(w.reading.reasons, reasonPanic):
		return none(w.reading, reasonPanic, optedOut)
	}
	w.planner = planner{
		ctx: w.ctx, judge: w.judge, limits: &w.limits, rule: w.rule, maxLinks: w.maxLinks, notDone: w.notDone,
		flagged: max(w.rule.Edit, w.edit) == rule.EditFlagged, fallback: w.fallback, sevenBit: w.signs() && w.signing.signer.Converts(), signsAll: !w.signing.edited,
	}
	return w.planner.plan(w.reading, optedOut)
}

// signs reports whether the message is signed if it is edited.
func (w *work) signs() bool {
	if w.signing.signer == nil || !w.trusted {
		return false
	}
	_, reason := w.signing.domain(w.reading, w.rule)
	return reason == ""
}

// carryOut carries out the edits of body and header, and sets the result. If that fails, it tries once
// more with the edits of the header alone.
func (w *work) carryOut(e edit, result *Result) {
	if len(e.plan.Header) > header.MaxOther {
		e = e.dropped(reasonHeaderEdits)
	}
	if reason := w.attempt(&e, result); reason != "" && e.planned() {
		e = e.dropped(reason)
		w.attempt(&e, result)
	}
	w.withoutTrial(result, w.rule)
}

// attempt decides, plans the header, applies and verifies all edits and signs. It sets the result. If
// the edit of the body must be given up, the reason says why.
func (w *work) attempt(e *edit, result *Result) report.Reason {
	edits := w.decide(e, &result.Report)
	result.Action = result.Report.Action
	a, reason := apply(w.ctx, w.reading, e.plan, edits, &w.limits)
	if reason != "" {
		if e.planned() {
			return reason
		}
		result.Report.HeaderNotDone = reason
	}
	if e.readAgain {
		if reason := w.leftFlagged(a.edited); reason != "" {
			return reason
		}
	}
	s := signed{applied: a}
	if w.signing.signer != nil && w.trusted && result.Action < rule.ActionTempFail {
		s = w.signing.sign(w.ctx, w.reading, w.rule, e.plan, a)
	}
	if s.failed && e.planned() {
		return s.reason
	}
	if e.planned() && len(s.edited) > w.limits.Result {
		return reasonResult
	}
	result.Report.Personal = w.trusted && !w.fields.OptedOut() && isPersonal(w.reading)
	result.Report.Signed, result.Report.NotSigned, result.Report.SignFailed = s.domain, s.reason, s.failed
	if w.trusted && e.reason == reasonDKIM {
		result.Report.SignedBefore = w.signing.signedBefore(w.reading, &w.protected)
	}
	result.Plan = mime.Plan{Header: e.plan.Header, Body: e.plan.Body, SevenBit: e.plan.SevenBit} // without the plan's knowledge of the parts
	result.HeaderEdits = s.edits
	if s.edited != nil && !w.reading.env.Truncated {
		result.Edited, result.BodyStart = append(s.edited, w.reading.beyond...), s.bodyStart
	}
	return ""
}

// leftFlagged returns why an edited message may not go out: an element of HTML may still open a flagged
// link, or a text still has a link that the rule defangs.
func (w *work) leftFlagged(edited []byte) report.Reason {
	c := &collector{ctx: w.ctx, judge: w.judge, limits: w.limits, maxLinks: w.maxLinks}
	c.env = w.reading.env
	c.parse(edited, w.authserv)
	c.problems = c.message.Problems
	c.read()
	c.showAs(c.judge, w.rule.Flagged)
	opens := func(l report.Found) bool { return l.Flagged && l.Place == report.PlaceHTMLLink }
	switch {
	case len(c.reasons) > len(w.reading.reasons), unlinks(w.rule) && slices.ContainsFunc(c.links, opens):
		return reasonFlaggedStays
	case defangedIn(w.reading, w.rule).remain(w.judge, w.reading, &c.reading):
		return reasonNotDefanged
	}
	return ""
}

// decide decides about the message with this edit of its body, fills in the report, and plans the
// header.
func (w *work) decide(e *edit, r *report.Report) []mime.HeaderEdit {
	enter(stageDecide, w.reading.message.Raw)
	return w.fields.Plan(e.plan, notEditable(w.reading, w.rule, e), reasonFieldSigned, w.rule.SubjectTag, r, func(kept int) {
		findings := slices.Clip(w.findings)
		if forged := w.severities.finding(forgedFields, kept); kept > 0 && forged.Severity > policy.SeverityNone {
			findings = append(findings, forged)
		}
		v := decide(w.reading, w.rule, e, findings)
		setReport(r, w.reading, w.rule, e, &v)
	})
}

// withoutTrial drops all but the report from a result if the rule or the service is on trial (DryRun).
func (p *pipeline) withoutTrial(result *Result, u *rule.Rule) {
	if u.DryRun || p.dryRun {
		result.Report.DryRun = true
		*result = Result{Report: result.Report}
	}
}

// setReport writes to a report what was found in a message, and what its rule does about it.
func setReport(said *report.Report, r *reading, u *rule.Rule, e *edit, v *verdict) {
	parts := append([]report.Part(nil), r.parts...) // nil without parts, in used memory too
	for i, reason := range e.notDone {
		parts[i].NotDone = reason
	}
	links := append([]report.Found(nil), r.links...)
	if e.defanged != nil {
		copy(links[e.first:], e.defanged)
	}
	*said = report.Report{
		Header: r.header, Rule: u.Name, Outcome: r.outcome, Reasons: r.reasons, Failure: r.unfinished(), Parts: parts, Links: links,
		Unseen: append([]report.Unseen(nil), r.unseen...),
		Edited: e.planned(), NotDone: e.reason,
		Findings: v.findings, Action: v.action, Because: v.because,
	}
}

// A stage of the work on a message, for tests of what happens when it fails.
type stage string

const (
	stageRead   stage = "read"
	stagePlan   stage = "plan"
	stageDecide stage = "decide"
	stageApply  stage = "apply"
	stageVerify stage = "verify"
	stageSign   stage = "sign"
)
