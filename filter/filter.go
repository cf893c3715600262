package filter

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
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
		authserv: o.AuthservIDs, optOut: cmp.Or(o.OptOut, DefaultOptions().OptOut), node: o.Node, dnsLists: o.DNSLists,
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
	if f.fallback = cmp.Or(o.Language, DefaultOptions().Language); !isLanguage(f.fallback) {
		return nil, fmt.Errorf("language %q: no texts (want one of %s)", f.fallback, strings.Join(Languages(), ", "))
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
		all = append(all, f.judge.Found("", link))
	}
	f.judge.ShowAs(all, rule.FlaggedUnlink)
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
				found := []report.Found{f.judge.Found("", link)}
				if f.judge.ShowAs(found, rule.FlaggedUnlink); !yield(found[0], nil) {
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
	return f.run(ctx, envelope.Envelope{}, raw, nil).Report
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
	return f.run(ctx, env, raw, f.rules)
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
	has := func(policy.Code) bool { return false }
	if f.rules.AskFindings() {
		said := f.Message(c.ctx, env, raw).Report
		has = func(code policy.Code) bool { return report.Has(said.Findings, said.Links, code) }
	}
	return f.rules.Unmet(c.env, c.decoded, c.authenticated, has)
}

// A Result says what to do with a message.
type Result struct {
	Plan        mime.Plan         // the edits of the body; empty when the body stays
	HeaderEdits []mime.HeaderEdit // edits of the header that Plan does not have: tags, removed fields, signatures
	// Edited is the verified message with Plan and HeaderEdits applied; nil when both
	// are empty, or the message was truncated. Its body begins at BodyStart.
	Edited    []byte
	BodyStart int
	Action    rule.Action   // what becomes of the message
	Report    report.Report // what was found and done
}

// EditsHeader reports whether HeaderEdits has an edit other than a signature.
func (r *Result) EditsHeader() bool { return slices.ContainsFunc(r.HeaderEdits, isNotSignature) }

// Unsigned returns the header edits that are still right if nothing else of the result is applied:
// added fields, but no signatures.
func (r *Result) Unsigned() []mime.HeaderEdit {
	var edits []mime.HeaderEdit
	for _, e := range r.HeaderEdits {
		if (e.Op == mime.OpAdd || e.Op == mime.OpInsert) && isNotSignature(e) {
			edits = append(edits, e)
		}
	}
	return edits
}

// signatureField is the name of the field with a DKIM signature.
const signatureField = "DKIM-Signature"

func isNotSignature(e mime.HeaderEdit) bool { return e.Name != signatureField }

// Message returns the message to send on: the edited one, or raw if nothing is edited. It does not
// consider the action.
func (r *Result) Message(raw []byte) []byte {
	if r.Edited != nil {
		return r.Edited
	}
	return raw
}

// Options configure a [Filter]. The zero value is the behaviour of linkmilter
// without a configuration.
type Options struct {
	// Engine selects how links are found. Its MaxLinks counts the links of a whole message; zero means
	// that of [DefaultOptions]. Of a link longer than MaxLinkLen only the host is judged; zero means
	// engine.DefaultMaxLinkLen.
	Engine engine.Options
	// Policy selects how links are judged.
	Policy policy.Options
	// Limits bound the work on a message and the size of the result.
	Limits Limits
	// Rules say what the filter does with which message. The first rule whose When matches decides. No
	// rules: those of [rule.Builtin].
	Rules []rule.Rule

	// DryRun leaves only the report in each result: it says what the rules would do.
	DryRun bool
	// Edit says which messages the filter may edit: a rule cannot ask for more.
	Edit rule.Edit

	// ID names this filter in the header fields that it writes: the name of the mail host, as in
	// Authentication-Results (RFC 8601). It begins with a letter, and so is a token (RFC 9651 §3.3.4).
	// If it is empty, the MTA's name in the envelope is used, and without that the ID of
	// [DefaultOptions].
	ID string
	// OtherIDs are the ids of the operator's other mail hosts. Fields of untrusted mail that have one
	// of these ids are forged.
	OtherIDs []string
	// Node names this machine in the header fields, to tell it from others with the same ID. It has
	// ASCII letters, digits, hyphens, dots and underscores. Empty: the fields name no machine.
	Node string
	// JoinLines finds and judges a URL in angle brackets that continues over lines (RFC 3986 appendix
	// C) as one URL. The text stays as typed.
	JoinLines bool
	// Signer signs messages of trusted senders with DKIM, unless they come with a
	// signature of their domain; nil: nothing is signed.
	Signer signer
	// SignEdited says that only messages whose body was edited are signed, for operators
	// who sign the rest elsewhere.
	SignEdited bool
	// AuthservIDs are the names under which the operator's servers write
	// Authentication-Results (RFC 8601 §2.5). Conditions on authentication and
	// findings of report.CodeUnalignedLink trust these only.
	AuthservIDs []string
	// OptOut is the name of the header field with which trusted senders ask to leave a message alone.
	// Any value except "no" asks so. The filter removes it. From others it means nothing. Default
	// "X-Linkmilter-Opt-Out".
	OptOut string
	// Robots has patterns for the addresses of recipients that are programs, such as "*-request@*". `*`
	// matches any text; case does not matter. A message to such an address is not edited. nil: the
	// patterns of [DefaultOptions]; an empty list: none.
	Robots []string
	// Language is the language of the reasons behind removed links where neither a text nor its message
	// tells its own: one of [Languages]. Default "en".
	Language string
	// DNSLists asks block lists in the DNS about the hosts in untrusted mail; nil: nobody is asked.
	DNSLists asker
	// NeverLink has patterns for texts that are never made a link although they could
	// be one, such as "node.js": `*` matches any text; case does not matter.
	NeverLink []string
}

// Limits bound the work on a message and the size of the result. A value of zero
// means that of [DefaultOptions].
type Limits struct {
	mime.Limits // the parts of attached messages count too

	// Time is how long the work on a message may take. The context of a call may end earlier. Zero:
	// only the context counts.
	Time    time.Duration
	Message int // bytes of a message; of a longer message only this beginning is judged, and nothing is edited.
	Text    int // bytes of a text in UTF-8; a longer text is judged, but not edited.
	Result  int // bytes of an edited message; below the MTA's own limit, since Postfix bounces a message that a milter grew past it.
	Growth  int // bytes that an edit may add to a message.
}

// DefaultOptions returns the values that hold for limits, id, language, opt-out field and robots if none
// are given.
func DefaultOptions() Options {
	return Options{
		Engine:   engine.Options{MaxLinks: 10_000, MaxLinkLen: engine.DefaultMaxLinkLen},
		Limits:   Limits{Limits: mime.DefaultLimits(), Message: 25 << 20, Text: 4 << 20, Result: 9_000_000, Growth: 5 << 20},
		ID:       "linkmilter",
		Language: "en",
		OptOut:   "X-Linkmilter-Opt-Out",
		Robots:   robots(),
	}
}

// withDefaults returns l with defaults in place of zeros, or an error that names a negative limit.
func (l Limits) withDefaults() (Limits, error) {
	d := DefaultOptions().Limits
	if l.Time < 0 {
		return l, fmt.Errorf("negative limit Time: %s", l.Time)
	}
	for _, limit := range []struct {
		name     string
		value    *int
		fallback int
	}{
		{"Parts", &l.Parts, d.Parts},
		{"Message", &l.Message, d.Message},
		{"Text", &l.Text, d.Text},
		{"Result", &l.Result, d.Result},
		{"Growth", &l.Growth, d.Growth},
	} {
		switch {
		case *limit.value < 0:
			return l, fmt.Errorf("negative limit %s: %d", limit.name, *limit.value)
		case *limit.value == 0:
			*limit.value = limit.fallback
		}
	}
	return l, nil
}

// validateNode refuses a machine name that would need quotes in a header field.
func validateNode(name string) error {
	odd := func(r rune) bool { return !ascii.IsAlphanumeric(r) && !strings.ContainsRune("-._", r) }
	if strings.ContainsFunc(name, odd) || len(name) > 253 {
		return fmt.Errorf("node %q: not a name of letters, digits, hyphens, dots and underscores", name)
	}
	return nil
}

// validateAuthserv refuses a name that Authentication-Results cannot have.
func validateAuthserv(id string) error {
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`;"()`, r) }) {
		return fmt.Errorf("authserv id %q: not a word of ASCII such as a host name", id)
	}
	return nil
}

// An asker asks block lists in the DNS about hosts, A-labels, within a short time.
type asker interface {
	Asks() bool
	// Ask returns the listings by registrable domain or IP address.
	Ask(ctx context.Context, hosts []string) map[string][]policy.Listed
}

// A signer signs messages with DKIM; [mailauth.Signer] is one. Several goroutines
// may use it at once.
type signer interface {
	// Has reports whether there is a key for mail from a domain.
	Has(domain string) bool
	// Sign returns the values of the DKIM-Signature fields for a message from
	// domain, folded by CRLF; the filter inserts them on top unchanged. An error
	// that wraps [mailauth.ErrFragile] says that mail servers may change the
	// message.
	Sign(domain string, message []byte) ([]string, error)
	// Converts reports whether texts shall leave the transfer encoding 8bit
	// before Sign.
	Converts() bool
	// SurvivesSendmail reports whether a signature stays valid when Sendmail sends a
	// field, whose addresses it may rewrite. value is the raw text after the colon.
	SurvivesSendmail(name, value string) bool
}
