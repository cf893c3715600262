package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// scanOptions are the flags of `scan`.
type scanOptions struct {
	text        bool
	strict      bool
	format      string
	failOn      string
	minSeverity string
	only        []string
	since       string
	quiet       bool
	hidden      bool
	config      string
}

func newScan() *cobra.Command {
	var o scanOptions
	cmd := &cobra.Command{
		Use:   "scan [--text] [--strict] [--format FORMAT] [--min-severity SEVERITY] [--only CODE]... [--since DATE] [--hidden] [--quiet] [--fail-on SEVERITY] [--config FILE] [PATH|-]...",
		Short: "List the links of messages, mailboxes or plain text, and what is wrong with them",
		Long: `Lists every link in the plain text, the HTML and the subject of messages and of
messages attached to them. It also judges the addresses of From, Sender and
Reply-To, and lists those with findings. PATH is a message, an mbox, a Maildir or
a folder of any of these, where symbolic links are left out, and indexes, summaries
and caches of mail programs, which the summary counts; with --text it is plain text.
Without PATH, or for "-", scan reads standard input.

Formats:
  table   for people: each message with its subject and sender, the place of each
          link, the link, and its findings
  json    one object a line: file, part, offset and length in bytes of the
          part's text, kind, text, href, display, ascii_host, unicode_host, findings,
          and of a message message_id, from, subject, date.
          part is the number of a part, "1.2", a header field, "header:From", or
          one of attached message 2, "2/header:From"; the text of HTML is its source.
          The kind is url, email, suspect, or message. A message object is about the
          message itself, and comes before its links: linkmilter could not read a part
          (partial, unreadable; part is its number, or empty for the whole message), or
          fields claim to be linkmilter's (forged-field). Its detail says why
  csv     a line for each finding, and for each link without one
  sarif   findings as a log of SARIF 2.1.0, for tools of security teams
  html    findings as one HTML file to mail around, without outside resources
  summary counts alone: messages, links, findings by severity and code
  mark    with --text only: the text again, each link between ⸠ and ⸡

With --config scan uses the policy, the limits and the top-level domains of that
configuration. It does not use the rules, since it edits nothing. What limits.time (5
seconds without --config) does not suffice for stays unread, and is a finding.

--hidden lists what the finding unseen-text is about: for each place, what a
program may read there, such as the text that tag characters spell. Its kind in json
is unseen.

--strict follows UTS #58 to the letter. Without it a few documented adjustments
do what people expect, such as leaving a final question mark out of a link.

An unread part is a finding: medium where the sender may have caused it, else low.
For several messages a summary goes to standard error, for one what was not read;
--quiet leaves both out. After Ctrl-C scan writes what it has and ends.

The exit status is 1 if a finding is at or above --fail-on (info, low, medium or
high), listed or not. It is 2 if scan could not open or read something, or was
interrupted. A message that was read in part is a finding, not such an error.`,
		Example: `  linkmilter scan --format summary ~/Maildir
  linkmilter scan --min-severity medium --since 7d ~/Maildir
  linkmilter scan --format html --only lookalike,mixed-script ~/Maildir > report.html
  linkmilter scan --format json --fail-on medium message.eml
  echo 'See example.com/α(β).' | linkmilter scan --text --format mark`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.add(cmd.Flags())
	return cmd
}

// add adds the flags to those of a command.
func (o *scanOptions) add(flags *pflag.FlagSet) {
	flags.BoolVar(&o.text, "text", false, "PATH is plain text in UTF-8, not a message")
	flags.BoolVar(&o.strict, "strict", false, "exactly UTS #58, without adjustments")
	flags.StringVar(&o.format, "format", "table", "print as `FORMAT`: "+formatNames())
	flags.StringVar(&o.minSeverity, "min-severity", "", "list only findings at or above `SEVERITY`: info, low, medium or high")
	flags.StringSliceVar(&o.only, "only", nil, "list only findings of `CODE`; again or with commas for several")
	flags.StringVar(&o.since, "since", "", "only messages dated or received from `DATE` on: 2026-11-30, or 2w, 7d or 12h ago")
	flags.BoolVar(&o.quiet, "quiet", false, "write no progress and no summary to standard error")
	flags.BoolVar(&o.hidden, "hidden", false, "list also what programs read in messages and people do not see")
	flags.StringVar(&o.config, "config", "", "take the configuration from `FILE`")
	flags.StringVar(&o.failOn, "fail-on", "", "exit 1 if a finding is at or above `SEVERITY`: info, low, medium or high")
}

// run scans paths.
func (o *scanOptions) run(cmd *cobra.Command, paths []string) error {
	boundMemory()
	var options filter.Options
	if o.config != "" {
		var err error
		if options, err = configuredOptions(o.config); err != nil {
			return err
		}
	}
	s, err := newScanRun(*o, options, cmd)
	if err != nil {
		return usageError(cmd, err)
	}
	return s.run(cmd.Context(), orStandardInput(paths), typedInput(cmd))
}

// scanRun is one run of the command.
type scanRun struct {
	scanOptions
	filter   *filter.Filter
	limit    int             // how many bytes of a message are read
	scanner  *engine.Scanner // finds links for the format marks
	echo     func(string) string
	out      *bufio.Writer
	stderr   io.Writer
	listing  listing // nil for the format marks
	selected selection
	summary  *summary
	progress *progress
	failAt   policy.Severity // SeverityNone means never
	worst    policy.Severity
}

func newScanRun(o scanOptions, options filter.Options, cmd *cobra.Command) (*scanRun, error) {
	s := &scanRun{
		scanOptions: o,
		echo:        echo(cmd.OutOrStdout()),
		out:         bufio.NewWriterSize(cmd.OutOrStdout(), 64<<10),
		stderr:      cmd.ErrOrStderr(),
		summary:     newSummary(),
	}
	if !o.quiet {
		s.progress = newProgress(cmd.ErrOrStderr())
	}
	err := s.choose(cmd.OutOrStdout())
	if err != nil {
		return nil, err
	}
	s.limit = readLimit(options)
	options.Limits.Time = cmp.Or(options.Limits.Time, mailserver.DefaultTime)
	detection := &options.Engine
	detection.Suspects = s.listing != nil
	if o.text {
		detection.MaxLinks = math.MaxInt32 // no limit, because the user chose the file
	}
	if o.strict {
		detection.Strict = true
	}
	if s.filter, err = filter.New(options); err != nil {
		return nil, err
	}
	s.scanner, err = engine.New(*detection)
	return s, err
}

// choose reads the flags that say what to list, and in which format.
func (s *scanRun) choose(w io.Writer) (err error) {
	switch {
	case s.format == formatMark && !s.text:
		return errors.New("--format mark echoes plain text: add --text")
	case s.format != formatMark:
		if s.listing, err = openListing(s.format, s.out, w); err != nil {
			return err
		}
	}
	if s.failAt, err = severityFlag("--fail-on", s.failOn); err != nil {
		return err
	}
	s.selected, err = newSelection(s.minSeverity, s.only, s.since, time.Now())
	return err
}

// run scans every path. It returns errFindings, the errors of inputs that could not be read, or
// errInterrupted.
func (s *scanRun) run(ctx context.Context, paths []string, stdin io.Reader) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // stop catching signals, so that the second one ends the program at once
	var failed []error
	var err error
	switch {
	case s.listing == nil:
		m := marker{scanner: s.scanner, out: s.out, echo: s.echo}
		failed = m.mark(paths, stdin)
	case s.text:
		failed, err = s.list(until(ctx, textScan{s.filter}.texts(paths, stdin)))
	default:
		s.progress.expect(ctx, paths)
		messages := newArchive(paths, stdin, s.limit, s.scanMessage)
		failed, err = s.list(messages.results(ctx))
		s.summary.aside = messages.aside
	}
	s.summary.failed, s.summary.interrupted = failed, ctx.Err() != nil
	if err == nil && s.listing != nil {
		err = s.listing.end(s.summary)
	}
	s.progress.done()
	if err = outputError(cmp.Or(err, s.out.Flush())); err == nil {
		s.report()
	}
	if s.summary.interrupted {
		failed = append(failed, errInterrupted)
	}
	if err := errors.Join(joinLines(failed), err); err != nil {
		return err
	}
	if s.failAt != policy.SeverityNone && s.worst >= s.failAt {
		return errFindings
	}
	return nil
}

// report writes the summary of several messages to standard error. For one message it only writes
// what was not read.
func (s *scanRun) report() {
	switch {
	case s.quiet || s.listing == nil:
	case s.summary.isLong() && !s.text:
		if s.format != formatSummary {
			fmt.Fprint(s.stderr, s.summary.text(newPaint(s.stderr)))
		}
	case s.summary.unread > 0:
		fmt.Fprintf(s.stderr, "linkmilter: %s\n", s.summary.unreadText())
	}
}

// list lists the findings in each input. It returns the errors of inputs that could not be read,
// and separately an error of writing, which ends it.
func (s *scanRun) list(found iter.Seq2[*scanned, error]) (failed []error, err error) {
	for m, err := range found {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		s.progress.step(m.file, m.size)
		if s.selected.skips(m) {
			s.summary.skipped++
			m.free()
			continue
		}
		s.worst = max(s.worst, m.worst())
		s.selected.apply(m)
		s.summary.add(m)
		if err := s.listing.message(m); err != nil {
			return failed, err
		}
		m.free()
	}
	return failed, nil
}

func (s *scanRun) scanMessage(in input) *scanned {
	return newScanned(s.filter, in, !s.selected.since.IsZero(), s.hidden)
}

// scanned has the findings of `scan` in one message, or in a piece of a plain text.
type scanned struct {
	file    string
	size    int // size in bytes
	isMail  bool
	origin  record.Origin   // set if there are records
	date    time.Time       // date in the header, if there are records; zero if it cannot be read
	latest  time.Time       // date, or when a server received the message if that is later and dated is set
	records []record.Record // records about the message itself, then about its links
	outcome report.Outcome
	reasons []report.Reason // why the message was not read in full
	links   int             // number of links, listed or not

	continues bool // it is another piece of the same plain text
}

// newScanned returns the findings of f in a message. A message without records gets an origin and a
// date only if dated is set, because most messages of an archive need neither.
func newScanned(f *filter.Filter, in input, dated, hidden bool) *scanned {
	found := f.Scan(in.raw)
	m := scannedPool.Get().(*scanned)
	*m = scanned{
		file: fileName(in.name), size: len(in.raw), isMail: true,
		outcome: found.Outcome, reasons: found.Reasons, links: len(found.Links),
		records: record.Append(m.records, fileName(in.name), f, &found),
	}
	if hidden {
		m.records = record.AppendUnseen(m.records, m.file, &found)
	}
	if dated || len(m.records) > 0 {
		m.origin, m.date = record.OriginOf(&found.Header), record.DateOf(&found.Header)
	}
	if m.latest = m.date; dated {
		if at := receivedAt(in.raw); at.After(m.date) {
			m.latest = at
		}
	}
	return m
}

// scannedPool has messages for reuse. In an archive with many links, new ones for each message
// would take a fifth of all memory that is allocated.
var scannedPool = sync.Pool{New: func() any { return new(scanned) }}

// maxRecordsKept is up to how many records a reused message keeps its memory. Few messages have
// more.
const maxRecordsKept = 64

// free returns a message that was listed to the pool.
func (m *scanned) free() {
	if cap(m.records) > maxRecordsKept {
		m.records = nil
	}
	clear(m.records)
	*m = scanned{records: m.records[:0]}
	scannedPool.Put(m)
}

// worst returns the highest severity among the findings.
func (m *scanned) worst() policy.Severity {
	worst := policy.SeverityNone
	for i := range m.records {
		worst = max(worst, m.records[i].Worst())
	}
	return worst
}

// selection says which findings are listed.
type selection struct {
	since   time.Time
	atLeast policy.Severity
	codes   []policy.Code // empty: all
}

// newSelection reads the flags of a selection. Empty flags select everything.
func newSelection(minSeverity string, only []string, since string, now time.Time) (s selection, err error) {
	if s.atLeast, err = severityFlag("--min-severity", minSeverity); err != nil {
		return s, err
	}
	for _, name := range only {
		code := policy.Code(strings.TrimSpace(name))
		if !isCode(code) {
			return s, fmt.Errorf("--only %q: unknown code%s", name, similarCode(name))
		}
		s.codes = append(s.codes, code)
	}
	s.since, err = sinceFlag(since, now)
	return s, err
}

// isCode reports whether a code exists.
func isCode(code policy.Code) bool { return slices.Contains(allCodes(), code) }

// allCodes returns the codes of all findings, in order.
func allCodes() []policy.Code {
	codes := slices.Collect(maps.Keys(filter.MessageSeverities()))
	for code := range policy.Codes() {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// similarCode suggests the codes that begin like a name, or lists all.
func similarCode(name string) string {
	var names, similar []string
	for _, code := range allCodes() {
		names = append(names, string(code))
		if name != "" && strings.Contains(string(code), name) {
			similar = append(similar, string(code))
		}
	}
	if len(similar) > 0 {
		return "; did you mean " + strings.Join(similar, " or ") + "?"
	}
	return " (want " + strings.Join(names, ", ") + ")"
}

// skips reports whether a message is too old. It is false for a message without a readable date,
// and for one with an old date that a server received later.
func (s *selection) skips(m *scanned) bool {
	return !s.since.IsZero() && !m.latest.IsZero() && m.latest.Before(s.since)
}

// apply keeps the selected findings, and the links that have one. Without flags it keeps all links.
func (s *selection) apply(m *scanned) {
	if s.atLeast == policy.SeverityNone && len(s.codes) == 0 {
		return
	}
	m.records = slices.DeleteFunc(m.records, func(r record.Record) bool { return len(s.wanted(r.Findings)) == 0 })
	for i := range m.records {
		m.records[i].Findings = s.wanted(m.records[i].Findings)
	}
}

func (s *selection) wanted(findings []policy.Finding) []policy.Finding {
	var wanted []policy.Finding
	for _, f := range findings {
		if f.Severity >= s.atLeast && (len(s.codes) == 0 || slices.Contains(s.codes, f.Code)) {
			wanted = append(wanted, f)
		}
	}
	return wanted
}

// receivedAt returns when the last mail server received a message. That is the date of the first
// field Received (RFC 5321 §4.4), which the sender cannot choose, unlike Date. If it cannot read
// that date, it returns the zero time.
func receivedAt(raw []byte) time.Time {
	var field strings.Builder
	found := false
	for line := range bytes.Lines(raw[:min(len(raw), maxAboveReceived)]) {
		text := string(bytes.TrimRight(line, "\r\n"))
		isContinued := text != "" && (text[0] == ' ' || text[0] == '\t')
		switch {
		case found && isContinued:
			field.WriteString(text)
			continue
		case found, text == "":
			return dateOfReceived(field.String())
		}
		name, value, _ := strings.Cut(text, ":")
		if found = strings.EqualFold(strings.TrimRight(name, " \t"), "Received"); found {
			field.WriteString(value)
		}
	}
	return dateOfReceived(field.String())
}

// maxAboveReceived is how many bytes are searched for that field. Servers write it first.
const maxAboveReceived = 64 << 10

// dateOfReceived reads the date at the end of the value of a field Received.
func dateOfReceived(value string) time.Time {
	date := value[strings.LastIndexByte(value, ';')+1:]
	return record.DateOf(&report.Header{Date: strings.TrimSpace(date)})
}
