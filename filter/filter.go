package filter

import (
	"context"
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mailauth"
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
	rules    []rule
	// severities are the configured ones of findings about a message.
	severities map[policy.Code]policy.Severity
	// agreed says that all tables are of one Unicode version; without that no
	// link is edited whose host is not ASCII.
	agreed bool

	id        string   // with which we sign header fields, in lower case
	ids       []string // those that are ours, in lower case
	optOut    string   // name of the field
	joinLines bool
	neverLink []glob
	allow     domainSet
	memory    *memory // which filters share that differ in their rules alone

	signer    Signer // or nil
	signs     Sign
	authserv  []string  // ids whose Authentication-Results are believed
	protected domainSet // one's own domains
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
		agreed:   engine.TablesAgree(),
		memory:   newMemory(),
	}
	if len(o.Rules) == 0 {
		o.Rules = BuiltinRules()
	}
	if f.rules, err = prepareRules(o.Rules); err != nil {
		return nil, err
	}
	if err := f.identify(o); err != nil {
		return nil, err
	}
	if o.Engine.MaxLinks < 0 {
		return nil, fmt.Errorf("negative limit of links: %d", o.Engine.MaxLinks)
	}
	// One more than allowed shows that there are too many.
	o.Engine.MaxLinks++
	// What other programs may take for a link is judged like one.
	o.Engine.Suspects = true
	if f.scanner, err = engine.New(o.Engine); err != nil {
		return nil, fmt.Errorf("link detection: %w", err)
	}
	if f.severities, o.Policy.Severities, err = splitSeverities(o.Policy.Severities); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	if f.judge, err = policy.New(o.Policy); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	if err := f.authenticate(o); err != nil {
		return nil, err
	}
	return f, nil
}

// ValidateID refuses what cannot be [Options.ID].
func ValidateID(id string) error {
	odd := func(r rune) bool { return r > '~' || !strings.ContainsRune("-._", r) && !isAlphanumeric(r) }
	if !isToken(id) || strings.IndexFunc(id, odd) >= 0 || len(id) > maxID {
		return fmt.Errorf("id %q: not a host name that begins with a letter", id)
	}
	return nil
}

func isAlphanumeric(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' }

// identify takes over who we are, and what operators and senders ask for.
func (f *Filter) identify(o Options) error {
	if o.ID == "" {
		o.ID = defaultID
	}
	for _, id := range append([]string{o.ID}, o.OtherIDs...) {
		if err := ValidateID(id); err != nil {
			return err
		}
		f.ids = append(f.ids, strings.ToLower(id))
	}
	f.id = f.ids[0]
	if f.optOut = o.OptOut; f.optOut == "" {
		f.optOut = defaultOptOut
	}
	if err := validateOptOut(f.optOut); err != nil {
		return err
	}
	f.joinLines = o.JoinLines
	for _, pattern := range o.NeverLink {
		if strings.Trim(pattern, "*") == "" {
			return fmt.Errorf("never link: pattern %q stands for everything", pattern)
		}
		f.neverLink = append(f.neverLink, newGlob(pattern))
	}
	for _, pattern := range o.Allow {
		if err := f.allow.add(pattern); err != nil {
			return fmt.Errorf("allow: %w", err)
		}
	}
	return nil
}

// Message reads and judges a message, and edits it where the rule for it says
// so and nothing stands against it. It never changes raw, and never panics. On
// any error, limit or doubt, and when ctx ends, the result has an empty Plan:
// the message goes on as it came, and the Report says why.
func (f *Filter) Message(ctx context.Context, env Envelope, raw []byte) Result {
	w := &work{filter: f, ctx: ctx, env: env}
	return w.run(raw, f.rule)
}

// Scan reads and judges a message without a rule.
func (f *Filter) Scan(raw []byte) Report {
	w := &work{filter: f, ctx: context.Background()}
	return w.run(raw, func(*work) Rule { return Rule{} }).Report
}

// run takes a message through all steps. choose returns its rule once its
// header can be read.
func (w *work) run(raw []byte, choose func(*work) Rule) (result Result) {
	defer func() {
		if recover() != nil {
			result = w.original(ReasonPanic)
		}
	}()
	if size := w.filter.limits.Message; w.env.Truncated || len(raw) > size {
		// What is behind the limit hides nothing that stands before it.
		w.cut = true
		raw, w.beyond = raw[:min(len(raw), size)], raw[min(len(raw), size):]
		w.message = mime.ParsePrefix(raw, w.filter.limits.MIME)
		w.report.cut(ReasonMessageTooLarge)
	} else {
		w.message = mime.Parse(raw, w.filter.limits.MIME)
	}
	w.rule = choose(w)
	w.report.Rule = w.rule.Name
	w.readOptOut()
	if err := w.read(); err != nil {
		return w.original(ReasonDeadline)
	}
	if w.cut {
		w.leave(ReasonMessageTooLarge)
		return w.finish(Result{})
	}
	return w.finish(w.edit())
}

// work is one message on its way through the filter. It takes memory once, with
// room for what most messages have one of.
type work struct {
	filter     *Filter
	ctx        context.Context
	rule       Rule
	env        Envelope
	message    *mime.Message
	cut        bool                 // message is only the beginning of the message
	beyond     []byte               // the rest, as far as it is known
	partsRead  int                  // those of attached messages included
	suspicious int                  // addresses in headers and envelope about which something was found
	texts      []text               // the plain texts of the message itself, in order
	firstText  [1]text              // room for texts
	guarded    int                  // one more than guardOfMessage; 0 until that is asked
	optOut     []int                // indices of the fields that ask to leave the message alone
	found      *mailauth.Signatures // see signatures
	told       []mailauth.Result    // see results
	asked      bool                 // told is set
	report     Report
}

// fields returns the decoded values of the message's fields called name; none
// of a message that is not read.
func (w *work) fields(name string) []string {
	if w.message == nil {
		return nil
	}
	var values []string
	for _, f := range w.message.Root.Fields {
		if f.Named(name) {
			values = append(values, w.message.DecodedValue(f))
		}
	}
	return values
}

// original is the result that leaves the message as it came, because work on it
// ended early. What becomes of it is still the rule's to say.
func (w *work) original(reason Reason) Result {
	w.report.cut(reason)
	w.report.settle()
	w.leave(reason)
	w.noteOutcome()
	w.decide()
	if w.report.Tagged = false; w.report.Action >= ActionTag {
		w.report.HeaderNotDone = reason
	}
	return w.carriedOut(Result{})
}

// leave notes that no part of the message is edited.
func (w *work) leave(reason Reason) {
	for i := range w.report.Parts {
		w.report.Parts[i].Edited, w.report.Parts[i].NotDone = false, reason
	}
	w.report.Edited, w.report.NotDone = false, reason
}
