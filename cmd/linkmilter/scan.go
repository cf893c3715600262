package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/spf13/cobra"
)

// scanOptions are the flags of `scan`.
type scanOptions struct {
	text   bool
	strict bool
	format string
	failOn string
	config string
}

func newScan() *cobra.Command {
	var o scanOptions
	cmd := &cobra.Command{
		Use:   "scan [--text] [--strict] [--format table|json|mark] [--fail-on SEVERITY] [--config FILE] [PATH|-]...",
		Short: "List the links of messages, mailboxes or plain text, and what is wrong with them",
		Long: `Lists every link in the plain text, the HTML and the subject of messages and of
messages attached to them. It also judges the addresses of From, Sender and
Reply-To, and lists those with findings. PATH is a message, an mbox, a Maildir or
a folder of any of these; with --text it is plain text. Without PATH, or for "-",
scan reads standard input.

Formats:
  table   for people: the place of the link, the link, and its findings
  json    one object a line: file, part, offset and length in bytes of the
          part's text, kind, text, href, display, ascii_host, unicode_host, findings.
          part is the number of a part, "1.2", a header field, "header:From", or
          one of attached message 2, "2/header:From"; the text of HTML is its source.
          The kind is url, email, suspect, or message. A message object is about the
          message itself, and comes before its links: linkmilter could not read a part
          (partial, unreadable; part is its number, or empty for the whole message), or
          fields claim to be linkmilter's (forged-field). Its detail says why
  mark    with --text only: the text again, each link between ⸠ and ⸡

With --config scan uses the policy, the limits and the top-level domains of that
configuration. It does not use the rules, since it edits nothing.

--strict follows UTS #58 to the letter. Without it a few documented adjustments
do what people expect, such as leaving a final question mark out of a link.

An unread part is a finding: medium where the sender may have caused it, else low.
A summary goes to standard error. The exit status is 1 if a finding is at or above
--fail-on (info, low, medium or high), and 2 if scan could not read something.`,
		Example: `  linkmilter scan ~/Maildir
  linkmilter scan --format json --fail-on medium message.eml
  echo 'See example.com/α(β).' | linkmilter scan --text --format mark`,
		RunE: func(cmd *cobra.Command, args []string) error {
			boundMemory()
			var options filter.Options
			if o.config != "" {
				var err error
				if options, err = configuredOptions(o.config); err != nil {
					return err
				}
			}
			s, err := newScanRun(o, options, cmd)
			if err != nil {
				return usageError(cmd, err)
			}
			return s.run(orStandardInput(args), typedInput(cmd))
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.text, "text", false, "PATH is plain text in UTF-8, not a message")
	flags.BoolVar(&o.strict, "strict", false, "exactly UTS #58, without adjustments")
	flags.StringVar(&o.format, "format", "table", "print as `FORMAT`: table, json or mark")
	flags.StringVar(&o.config, "config", "", "take the configuration from `FILE`")
	flags.StringVar(&o.failOn, "fail-on", "", "exit 1 if a finding is at or above `SEVERITY`: info, low, medium or high")
	return cmd
}

// scanRun is one run of the command.
type scanRun struct {
	scanOptions
	filter   *filter.Filter
	scanner  *engine.Scanner // for marks
	echo     func(string) string
	out      *bufio.Writer
	stderr   io.Writer
	write    recordWriter
	progress *progress
	notRead  notRead
	failAt   policy.Severity // none: never
	worst    policy.Severity
}

func newScanRun(o scanOptions, options filter.Options, cmd *cobra.Command) (*scanRun, error) {
	s := &scanRun{
		scanOptions: o,
		echo:        echo(cmd.OutOrStdout()),
		out:         bufio.NewWriterSize(cmd.OutOrStdout(), 64<<10),
		stderr:      cmd.ErrOrStderr(),
		progress:    newProgress(cmd.ErrOrStderr()),
	}
	switch o.format {
	case "table":
		s.write = newTableWriter(s.out)
	case "json":
		s.write = jsonWriter{s.out, isTerminal(cmd.OutOrStdout())}
	case "mark":
		if !o.text {
			return nil, errors.New("--format mark echoes plain text: add --text")
		}
	default:
		return nil, fmt.Errorf("--format %q: unknown (want table, json or mark)", o.format)
	}
	if o.failOn != "" {
		if err := s.failAt.UnmarshalText([]byte(o.failOn)); err != nil || s.failAt == policy.SeverityNone {
			return nil, fmt.Errorf("--fail-on %q: unknown (want info, low, medium or high)", o.failOn)
		}
	}
	detection := &options.Engine
	detection.Suspects = o.format != "mark"
	if o.text {
		detection.MaxLinks = math.MaxInt32 // the user chose the file
	}
	if o.strict {
		detection.Strict = true
	}
	var err error
	if s.filter, err = filter.New(options); err != nil {
		return nil, err
	}
	s.scanner, err = engine.New(*detection)
	return s, err
}

// run scans every path and returns errFindings or what could not be read.
func (s *scanRun) run(paths []string, stdin io.Reader) error {
	var failed []error
	var err error
	switch {
	case s.format == "mark":
		m := marker{scanner: s.scanner, out: s.out, echo: s.echo}
		failed, err = m.mark(paths, stdin)
	case s.text:
		failed, err = s.each(texts(paths, stdin), s.scanText)
	default:
		failed, err = s.each(messages(paths, stdin), s.scanMessage)
	}
	s.progress.done()
	s.notRead.print(s.stderr)
	if flushErr := s.out.Flush(); err == nil && flushErr != nil {
		err = fmt.Errorf("writing to standard output: %w", flushErr)
	}
	if err := errors.Join(joinLines(failed), err); err != nil {
		return err
	}
	if s.failAt != policy.SeverityNone && s.worst >= s.failAt {
		return errFindings
	}
	return nil
}

// each scans every input. It returns the inputs that could not be read, and
// apart from them an error of writing, which ends it.
func (s *scanRun) each(inputs inputSeq, scan func(input) error) (failed []error, err error) {
	for in, err := range inputs {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		s.progress.step(in.name)
		if err := scan(in); err != nil {
			return failed, fmt.Errorf("writing to standard output: %w", err)
		}
	}
	return failed, nil
}

func (s *scanRun) scanText(in input) error {
	text, marked := bom.Cut(string(in.raw))
	for _, found := range s.filter.Text(text) {
		if marked { // offsets are those of the file
			found.Link.Start += len(bom.UTF8)
			found.Link.End += len(bom.UTF8)
		}
		if err := s.record(in.name, found); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanRun) scanMessage(in input) error {
	report := s.filter.Scan(in.raw)
	s.notRead.add(report)
	for _, r := range messageRecords(in.name, s.filter, &report) {
		s.worst = max(s.worst, r.Findings[0].Severity)
		if err := s.write.record(r); err != nil {
			return err
		}
	}
	for _, found := range report.Links {
		if err := s.record(in.name, found); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanRun) record(file string, found report.Found) error {
	s.worst = max(s.worst, found.Verdict.Worst())
	return s.write.record(newRecord(file, found))
}
