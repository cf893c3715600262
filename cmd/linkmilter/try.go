package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/mail"
	"net/netip"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// tryOptions are the flags of `try`.
type tryOptions struct {
	senderFlags
	config, format string
}

func newTry() *cobra.Command {
	var o tryOptions
	cmd := &cobra.Command{
		Use:   "try [--config FILE] [--from ADDRESS --to ADDRESS... --client IP --auth] [--format table|json|html] PATH...",
		Short: "Show what the rules would do with an archive of messages",
		Long: `Runs the rules of FILE, or the built-in ones, over every message of PATH, as the
service would: a message, an mbox, a Maildir, or a folder of these. It changes
nothing. It reports by rule what linkmilter would have edited, tagged, quarantined,
rejected or left, and why, with examples.

The envelope comes from Return-Path, Delivered-To, X-Original-To or To, and the
client and its login from the first Received field. Where these are missing or
wrong, --from, --to, --client and --auth say it for all messages.

--format json prints an object a message. --format html prints one file without
outside resources; it shows what edits change.`,
		Example: `  linkmilter try --config new.toml ~/Maildir
  linkmilter try --config new.toml --format html archive/ > trial.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(cmd, errors.New("no PATH: name a folder, a Maildir, an mbox or a message"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			boundMemory()
			if !slices.Contains([]string{"table", "json", "html"}, o.format) {
				return usageError(cmd, fmt.Errorf("--format %q: unknown (want table, json or html)", o.format))
			}
			env, given, err := o.envelope(cmd)
			if err != nil {
				return usageError(cmd, err)
			}
			if given {
				return o.run(cmd, args, &env)
			}
			return o.run(cmd, args, nil)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.config, "config", "", "take the configuration from `FILE`")
	flags.StringVar(&o.format, "format", "table", "print as `FORMAT`: table, json or html")
	o.add(flags)
	return cmd
}

// run tries the messages of the paths, with the envelope env or, if that is nil, the envelopes that
// they probably had.
func (o *tryOptions) run(cmd *cobra.Command, paths []string, env *envelope.Envelope) error {
	options, err := optionsOf(o.config, config.Load)
	if err != nil {
		return err
	}
	f, err := filter.New(options)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // stop catching signals, so that the second one ends the program at once
	out := bufio.NewWriter(cmd.OutOrStdout())
	objects := jsonWriter{out, isTerminal(cmd.OutOrStdout())}
	progress := newProgress(cmd.ErrOrStderr())
	progress.expect(ctx, paths)
	counts := newTrialCounts()
	var failed []error
	work := func(in input) *trial {
		return newTrial(cmd.Context(), f, in, env, o.format == "html") // work that was begun is finished
	}
	messages := newArchive(paths, typedInput(cmd), readLimit(options), work)
	for t, err := range messages.results(ctx) {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		progress.step(t.file, t.size)
		counts.add(t)
		if o.format == "json" {
			if err := objects.encode(newTrialRecord(t)); err != nil {
				return err
			}
		}
	}
	progress.done()
	counts.aside = messages.aside
	switch o.format {
	case "table":
		_, err = out.WriteString(counts.text(newPaint(cmd.OutOrStdout())))
	case "html":
		err = trialTemplate.Execute(out, counts.page(failed, ctx.Err() != nil))
	}
	if err = cmp.Or(err, out.Flush()); err != nil {
		failed = append(failed, outputError(err))
	}
	if ctx.Err() != nil {
		failed = append(failed, errInterrupted)
	}
	return joinLines(failed)
}

// A trial has the result that the rules would have had for a message.
type trial struct {
	file   string
	size   int // size in bytes
	report report.Report
	diff   string // diff of an edit; empty if none was asked for
}

// happened says what would have become of the message: its action, an edit, or nothing.
func (t *trial) happened() string {
	switch {
	case t.refused():
		return t.report.Action.String()
	case t.report.Action != rule.ActionNone && t.report.Edited:
		return t.report.Action.String() + ", edited"
	case t.report.Action != rule.ActionNone:
		return t.report.Action.String()
	case t.report.Edited:
		return "edited"
	}
	return "unchanged"
}

// refused reports whether no recipient would get the message, so that its edit does not matter.
func (t *trial) refused() bool { return t.report.Action >= rule.ActionTempFail }

// why returns the finding or reason that decided.
func (t *trial) why() string {
	if t.report.Because != "" {
		return t.report.Because
	}
	if t.report.Edited {
		return "readable links"
	}
	return string(t.report.NotDone)
}

// received finds the facts about the client in the field that the operator's mail
// server wrote (RFC 5321 §4.4, Postfix, Sendmail, Exim).
var (
	receivedAddress = regexp.MustCompile(`\[(?:IPv6:)?([0-9a-fA-F.:]+)\]`)
	receivedLogin   = regexp.MustCompile(`(?i)\bwith (?:E?SMTPS?A|UTF8SMTPS?A)\b|\(Authenticated sender:|\bauthenticated\b`)
)

// guessedEnvelope returns the envelope that an archived message probably had: sender from
// Return-Path, recipients from fields that servers write at delivery or otherwise from To, the
// client from the last server's Received.
func guessedEnvelope(m *mime.Message) envelope.Envelope {
	env := envelope.Envelope{Sender: envelope.AnySender}
	first := func(names ...string) (string, bool) {
		for _, name := range names {
			for _, f := range m.Root.Fields {
				if strings.EqualFold(f.Name, name) {
					return m.FieldValue(f), true
				}
			}
		}
		return "", false
	}
	if path, ok := first("Return-Path"); ok {
		env.Sender = strings.Trim(path, "<> \t")
	} else if from, ok := first("From"); ok {
		if address, err := mail.ParseAddress(from); err == nil {
			env.Sender = address.Address
		}
	}
	if to, ok := first("X-Original-To", "Delivered-To", "Envelope-To"); ok {
		env.Recipients = []string{strings.Trim(to, "<> \t")}
	} else if to, ok := first("To"); ok {
		if list, err := mail.ParseAddressList(to); err == nil {
			for _, address := range list {
				env.Recipients = append(env.Recipients, address.Address)
			}
		}
	}
	if received, ok := first("Received"); ok {
		if found := receivedAddress.FindStringSubmatch(received); found != nil {
			env.Client, _ = netip.ParseAddr(found[1]) // the zero address for other text
		}
		env.Authenticated = receivedLogin.MatchString(received)
	}
	return env
}

// newTrial runs the rules of f over a message, with the envelope env or, if that is nil, the one
// that the message probably had. With diff it keeps a diff of the edit.
func newTrial(ctx context.Context, f *filter.Filter, in input, env *envelope.Envelope, diff bool) *trial {
	if env == nil {
		guessed := guessedEnvelope(mime.Parse(ctx, in.raw, mime.DefaultLimits()))
		env = &guessed
	}
	result := f.Message(ctx, *env, in.raw)
	t := &trial{file: fileName(in.name), size: len(in.raw), report: result.Report}
	if diff && result.Report.Edited && !t.refused() {
		t.diff = diffOf(t.file, in.raw, result.Message(in.raw), paint{})
	}
	t.report.Parts, t.report.Links = nil, nil // these hold the message in memory
	return t
}

// trialCounts counts trials by rule, by what would have happened, and why.
type trialCounts struct {
	messages int
	aside    int // files in folders that hold no message
	kinds    map[trialKind]*trialCount
}

type trialKind struct{ rule, happened, why string }

type trialCount struct {
	messages int
	examples []*trial // the first messages
}

// maxExamples is how many messages are named for each kind.
const maxExamples = 3

func newTrialCounts() *trialCounts { return &trialCounts{kinds: make(map[trialKind]*trialCount)} }

func (c *trialCounts) add(t *trial) {
	c.messages++
	kind := trialKind{t.report.Rule, t.happened(), t.why()}
	count := c.kinds[kind]
	if count == nil {
		count = new(trialCount)
		c.kinds[kind] = count
	}
	count.messages++
	if len(count.examples) < maxExamples {
		count.examples = append(count.examples, t)
	}
}

// sorted returns the kinds, sorted by rule and then by frequency.
func (c *trialCounts) sorted() []trialKind {
	return slices.SortedFunc(maps.Keys(c.kinds), func(a, b trialKind) int {
		return cmp.Or(
			cmp.Compare(a.rule, b.rule),
			cmp.Compare(c.kinds[b].messages, c.kinds[a].messages),
			cmp.Compare(a.happened, b.happened), cmp.Compare(a.why, b.why),
		)
	})
}

// text returns the counts for people.
func (c *trialCounts) text(p paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s tried; nothing was changed\n", counted(c.messages, "message"))
	if c.aside > 0 {
		fmt.Fprintf(&b, "passed over as no messages: %s\n", counted(c.aside, "file"))
	}
	b.WriteString("\n")
	rows := [][]cell{headRow(p, "rule", "messages", "would be", "because of", "for example")}
	for _, kind := range c.sorted() {
		count := c.kinds[kind]
		for i, t := range count.examples {
			row := []cell{plainCell(""), plainCell(""), plainCell(""), plainCell(""), exampleOf(t, p)}
			if i == 0 {
				row = []cell{
					plainCell(kind.rule), numberCell(count.messages, "messages"), plainCell(kind.happened),
					plainCell(kind.why), exampleOf(t, p),
				}
			}
			rows = append(rows, row)
		}
	}
	b.WriteString(columns("  ", rows))
	return b.String()
}

// exampleOf names a message by its file and subject.
func exampleOf(t *trial, p paint) cell {
	file := p.cell(t.file)
	if t.report.Header.Subject == "" {
		return file
	}
	subject := p.cell(shortText(t.report.Header.Subject, 40))
	return cell{file.plain + "  " + subject.plain, file.painted + "  " + subject.painted}
}

// trialRecord is a trial in JSON.
type trialRecord struct {
	File      string `json:"file"`
	MessageID string `json:"message_id"`
	From      string `json:"from"`
	Subject   string `json:"subject"`
	record.Decision
}

func newTrialRecord(t *trial) trialRecord {
	r := &t.report
	return trialRecord{t.file, r.Header.MessageID, r.Header.From, r.Header.Subject, record.DecisionOf(r)}
}

// trialPage is the report in HTML.
type trialPage struct {
	Made        string // when the report was made
	Messages    string
	Interrupted bool
	Failed      []string // errors
	Kinds       []trialPageKind
}

type trialPageKind struct {
	Rule, Messages, Happened, Why string
	Examples                      []trialExample
}

type trialExample struct {
	File, Subject string
	Diff          []diffLine
}

// page returns the report, with what could not be read.
func (c *trialCounts) page(failed []error, interrupted bool) trialPage {
	page := trialPage{Made: madeAt(time.Now()), Messages: counted(c.messages, "message"), Interrupted: interrupted, Failed: errorLines(failed)}
	for _, kind := range c.sorted() {
		count := c.kinds[kind]
		k := trialPageKind{kind.rule, printable.Number(count.messages), kind.happened, kind.why, nil}
		for _, t := range count.examples {
			k.Examples = append(k.Examples, trialExample{printable.Text(t.file), printable.Text(shortText(t.report.Header.Subject, 80)), diffLines(t.diff)})
		}
		page.Kinds = append(page.Kinds, k)
	}
	return page
}

//go:embed trial.html
var trialReport string

// trialTemplate writes the report of `try` as one HTML file.
var trialTemplate = template.Must(template.New("trial.html").Parse(trialReport))
