package filter

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A Filter reads, judges and edits messages by its rules. Several goroutines may
// use it at once.
type Filter struct {
	rules *rule.Set
	pipeline
}

// New returns a Filter, or an error for invalid options.
func New(o Options) (*Filter, error) {
	limits, err := o.Limits.withDefaults()
	if err != nil {
		return nil, err
	}
	f := &Filter{pipeline: pipeline{
		limits: limits, edit: o.Edit, dryRun: o.DryRun, signing: signing{o.Signer, o.SignEdited},
		authserv: o.AuthservIDs, optOut: cmp.Or(o.OptOut, DefaultOptions().OptOut), node: o.Node,
	}}
	if err := header.ValidateOptOut(f.optOut); err != nil {
		return nil, err
	}
	for _, id := range f.authserv {
		if err := validateAuthserv(id); err != nil {
			return nil, err
		}
	}
	if f.rules, err = rule.NewSet(o.Rules, len(f.authserv) > 0); err != nil {
		return nil, err
	}
	if err := f.identify(o.ID, o.OtherIDs); err != nil {
		return nil, err
	}
	if err := validateNode(o.Node); err != nil {
		return nil, err
	}
	for _, domain := range o.Policy.Protected {
		if err := f.protected.Add(domain); err != nil {
			return nil, err
		}
	}
	if f.severities, o.Policy.Severities, err = splitSeverities(o.Policy.Severities); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return f, f.judgeBy(o)
}

// identify validates the ids of this filter and of the operator's other hosts.
func (f *Filter) identify(id string, others []string) error {
	f.hostID = id == ""
	for _, id := range append([]string{cmp.Or(id, DefaultOptions().ID)}, others...) {
		if err := header.ValidateID(id); err != nil {
			return err
		}
		f.ids = append(f.ids, strings.ToLower(id))
	}
	return nil
}

// judgeBy makes the parts that find, judge and show links.
func (f *Filter) judgeBy(o Options) error {
	defaults := DefaultOptions().Engine
	if f.maxLinks = o.Engine.MaxLinks; f.maxLinks < 0 {
		return fmt.Errorf("negative limit of links: %d", f.maxLinks)
	}
	if f.maxLinks == 0 {
		f.maxLinks = defaults.MaxLinks
	}
	// A scan that finds one more than allowed shows that there are too many.
	o.Engine.MaxLinks = f.maxLinks + 1
	o.Engine.MaxLinkLen = cmp.Or(o.Engine.MaxLinkLen, defaults.MaxLinkLen)
	// Suspects are text that other programs may turn into a link: they are judged as links.
	o.Engine.Suspects = true
	scanner, err := engine.New(o.Engine)
	if err != nil {
		return fmt.Errorf("link detection: %w", err)
	}
	if f.judge, err = judge.New(judge.Options{Scanner: scanner, MaxLinkLen: o.Engine.MaxLinkLen, JoinLines: o.JoinLines, Strict: o.Engine.Strict, Policy: o.Policy}); err != nil {
		return err
	}
	if err := f.usePatterns(&o); err != nil {
		return err
	}
	for i := range o.Rules {
		if err := judge.ValidateLists(&o.Rules[i]); err != nil {
			return fmt.Errorf("rule %q: %w", o.Rules[i].Name, err)
		}
	}
	f.judges = judge.NewOfRules(f.judge, o.Policy)
	return nil
}

// usePatterns reads the patterns of texts that are never linked, and of the addresses of programs.
func (f *Filter) usePatterns(o *Options) error {
	for _, p := range o.NeverLink {
		if strings.Trim(p, "*") == "" {
			return fmt.Errorf("never link: pattern %q matches everything", p)
		}
		f.judge.Display.NeverLink = append(f.judge.Display.NeverLink, pattern.NewGlob(p))
	}
	addresses := o.Robots
	if addresses == nil {
		addresses = robots()
	}
	for _, p := range addresses {
		if strings.Trim(p, "*@") == "" || !strings.Contains(p, "@") {
			return fmt.Errorf("robots: pattern %q: not one of addresses (want noreply@*)", p)
		}
		f.robots = append(f.robots, pattern.NewGlob(p))
	}
	return nil
}

// WithRule returns a filter that applies the rule called name to every message,
// whatever its envelope.
func (f *Filter) WithRule(name string) (*Filter, error) {
	rules, err := f.rules.Only(name)
	if err != nil {
		return nil, err
	}
	forced := *f
	forced.rules = rules
	return &forced, nil
}

// Judge judges a link, an address or a suspect by itself. allowed reports whether the operator allows
// its host ([policy.Options]); then there are no findings.
func (f *Filter) Judge(link engine.Link) (verdict policy.Verdict, allowed bool) {
	return f.judge.Verdict(link), f.judge.Allows(link)
}

// ReadingSeverity returns the severity of CodePartial or CodeUnreadable for one reason. A message with
// several reasons has the highest of their severities.
func (f *Filter) ReadingSeverity(code policy.Code, reason report.Reason) policy.Severity {
	return f.severities.of(readingVariant(code, reason))
}

// Text finds and judges the links of one plain text in UTF-8, up to the limit of
// links. Part is empty in the result.
func (f *Filter) Text(text string) []report.Found {
	var all []report.Found
	for link := range f.judge.Finder.All(context.Background(), text) {
		if len(all) == f.maxLinks {
			break
		}
		all = append(all, f.judge.Found("", link, rule.FlaggedUnlink))
	}
	return all
}

// TextFrom is Text for a text of any length, in bounded memory. If r fails, the last pair has its
// error.
func (f *Filter) TextFrom(r io.Reader) iter.Seq2[report.Found, error] {
	return func(yield func(report.Found, error) bool) {
		p := piece.NewReader(r, f.judge.Finder.MaxLinkLen)
		for p.Next() {
			for link := range f.judge.Finder.All(context.Background(), p.Text()) {
				if !p.Has(link.Start, link.End) {
					continue
				}
				link.Start, link.End = link.Start+p.Offset(), link.End+p.Offset()
				if !yield(f.judge.Found("", link, rule.FlaggedUnlink), nil) {
					return
				}
			}
		}
		if err := p.Err(); err != nil {
			yield(report.Found{}, err)
		}
	}
}

// Scan reads and judges a message without a rule, within Limits.Time.
func (f *Filter) Scan(raw []byte) report.Report {
	ctx, cancel := f.limited(context.Background())
	defer cancel()
	return f.run(ctx, envelope.Envelope{}, raw, func(*reading) rule.Rule { return rule.Rule{} }).Report
}

// Message reads and judges a message, and edits it if its rule asks for it and no guard forbids it. It
// never changes raw, and never panics. On any error, limit or doubt the body stays as it came, and the
// [report.Report] says why.
//
// When ctx or Limits.Time ends, or a limit is reached, the rest is neither read nor edited. The filter
// still acts on what it has found: it decides the action and edits the header. It checks ctx at least
// every 64 KiB of input, and returns less than 200 ms after the end of ctx.
func (f *Filter) Message(ctx context.Context, env envelope.Envelope, raw []byte) Result {
	ctx, cancel := f.limited(ctx)
	defer cancel()
	return f.run(ctx, env, raw, f.ruleFor)
}

// limited returns a context that ends with Limits.Time, or with ctx if that is sooner.
func (f *Filter) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.limits.Time == 0 {
		return ctx, func() {}
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= f.limits.Time {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, f.limits.Time)
}

// Unmet iterates over the rules in order, up to the rule that decides about the message. It yields the
// name of each rule and the key of the first condition that the message does not meet. For the deciding
// rule the key is empty.
func (f *Filter) Unmet(env envelope.Envelope, raw []byte) iter.Seq2[string, string] {
	c := &collector{ctx: context.Background(), judge: f.judge, limits: f.limits, maxLinks: f.maxLinks}
	c.env = &env
	c.parse(raw, f.authserv)
	return f.rules.Unmet(c.env, c.decoded, c.authenticated)
}

// ruleFor returns the rule for a message.
func (f *Filter) ruleFor(r *reading) rule.Rule {
	return f.rules.For(r.env, r.decoded, r.authenticated)
}
