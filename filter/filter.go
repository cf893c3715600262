package filter

import (
	"context"
	"fmt"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// A Filter reads, judges and edits messages by its rules. It may be used by
// several goroutines at once.
type Filter struct {
	scanner  *engine.Scanner
	judge    *policy.Judge
	limits   Limits
	maxLinks int // of a message
	rules    []Rule
	// severities are those of the findings about a message.
	severities map[policy.Code]policy.Severity
	// agreed says that all tables are of one Unicode version; without that no
	// link is edited whose host is not ASCII.
	agreed bool
}

// New returns a Filter, or an error for options that contradict themselves.
func New(o Options) (*Filter, error) {
	limits, err := o.Limits.withDefaults()
	if err != nil {
		return nil, err
	}
	if o.Engine.MaxLinks == 0 {
		o.Engine.MaxLinks = defaultLinks
	}
	f := &Filter{
		limits:   limits,
		maxLinks: o.Engine.MaxLinks,
		rules:    o.Rules,
		agreed:   engine.TablesAgree(),
	}
	if len(f.rules) == 0 {
		f.rules = BuiltinRules()
	}
	if err := validate(f.rules); err != nil {
		return nil, err
	}
	if o.Engine.MaxLinks < 0 {
		return nil, fmt.Errorf("negative limit of links: %d", o.Engine.MaxLinks)
	}
	// One more than allowed shows that there are too many.
	o.Engine.MaxLinks++
	if f.scanner, err = engine.New(o.Engine); err != nil {
		return nil, fmt.Errorf("link detection: %w", err)
	}
	if f.severities, o.Policy.Severities, err = splitSeverities(o.Policy.Severities); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	if f.judge, err = policy.New(o.Policy); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return f, nil
}

// Message reads and judges a message, and edits it where the rule for it says
// so and nothing stands against it. It never changes raw, and never panics. On
// any error, limit or doubt, and when ctx ends, the result has an empty Plan:
// the message goes on as it came, and the Report says why.
func (f *Filter) Message(ctx context.Context, env Envelope, raw []byte) Result {
	return f.run(ctx, f.rule(&env), &env, raw)
}

// Scan reads and judges a message without a rule.
func (f *Filter) Scan(raw []byte) Report {
	return f.run(context.Background(), Rule{}, &Envelope{}, raw).Report
}

// run takes a message through all steps.
func (f *Filter) run(ctx context.Context, rule Rule, env *Envelope, raw []byte) (result Result) {
	w := &work{filter: f, ctx: ctx, rule: rule, env: env}
	w.report.Rule = rule.Name
	defer func() {
		if recover() != nil {
			result = w.original(ReasonPanic)
		}
	}()
	if len(raw) > f.limits.Message {
		return w.original(ReasonMessageTooLarge)
	}
	w.message = mime.Parse(raw, f.limits.MIME)
	if err := w.read(); err != nil {
		return w.original(ReasonDeadline)
	}
	return w.edit()
}

// work is one message on its way through the filter.
type work struct {
	filter  *Filter
	ctx     context.Context
	rule    Rule
	env     *Envelope
	message *mime.Message
	texts   []text // the plain texts of the message itself, in order
	holds   []bool // which guards hold for the whole message; nil until it is asked
	report  Report
}

// original is the result that lets the message go on as it came, because work
// on it ended early.
func (w *work) original(reason Reason) Result {
	w.report.cut(reason)
	w.report.settle()
	for i := range w.report.Parts {
		w.report.Parts[i].Edited, w.report.Parts[i].NotDone = false, reason
	}
	w.report.Edited, w.report.NotDone = false, reason
	return Result{Report: w.report}
}
