package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

// reportOptions are the flags of `report`.
type reportOptions struct {
	since     string
	about     string
	recipient string
	format    string
	all       bool
}

func newReport() *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report [--since DATE] [--about NAME] [--recipient TEXT] [--all] [--format table|json|csv] [FILE|-]...",
		Short: "Answer from the log: who got which spoofed link, and what happened to it",
		Long: `Reads the log of linkmilter serve, from files or standard input: text, JSON, or
what journalctl or syslog writes, also compressed by gzip. It shows

  - how many messages came, were flagged, edited and acted on, beside the same
    time before: this week against the last
  - the messages with flagged links: sender, recipients, hosts, the names that these
    imitate, and what happened to the message
  - the imitated names, the most frequent first
  - why messages were not edited
  - where several machines wrote the logs, the messages of each; queue ids then have
    the machine beside them

In the column "happened", parentheses mean that the action was not taken: the rule
is on trial, or the mail server did not allow it.

The log has domains of senders and recipients; log.addresses = "full" logs whole
addresses from then on. --format json and csv print the flagged messages alone.

The exit status is 2 if a file or a line about a message could not be read.`,
		Example: `  journalctl -u linkmilter -o json --since -14d | linkmilter report
  linkmilter report --since 30d --about bank.example /var/log/linkmilter.log*
  linkmilter report --recipient carol@example.com --format csv linkmilter.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.since, "since", "7d", "messages from `DATE` on: 2026-11-30, or 2w, 7d or 12h ago")
	flags.StringVar(&o.about, "about", "", "only messages with a flagged link to `NAME`, or with one that imitates it")
	flags.StringVar(&o.recipient, "recipient", "", "only messages to recipients that contain `TEXT`")
	flags.BoolVar(&o.all, "all", false, "list all flagged messages, not only the newest 50")
	flags.StringVar(&o.format, "format", "table", "print as `FORMAT`: table, json or csv")
	return cmd
}

// run reads the logs at paths, and answers from them.
func (o *reportOptions) run(cmd *cobra.Command, paths []string) error {
	now := time.Now()
	since, err := sinceFlag(o.since, now)
	if err != nil {
		return usageError(cmd, err)
	}
	if !slices.Contains([]string{"table", "json", "csv"}, o.format) {
		return usageError(cmd, fmt.Errorf("--format %q: unknown (want table, json or csv)", o.format))
	}
	about, err := aboutHost(o.about)
	if err != nil {
		return usageError(cmd, err)
	}
	keep := 0
	if o.format == "table" && !o.all {
		keep = maxFlagged
	}
	t := newTally(since, now, about, o.recipient, keep)
	var failed []error
	for f, err := range files(orStandardInput(paths)) {
		if err == nil {
			err = withFile(f.name, typedInput(cmd), t.read)
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	t.sort()
	if err := o.write(cmd.OutOrStdout(), t); err != nil {
		failed = append(failed, outputError(err))
	}
	return joinLines(failed)
}

// write writes what was counted to w, the standard output, in the format of the flags.
func (o *reportOptions) write(w io.Writer, t *tally) (err error) {
	out := bufio.NewWriter(w)
	switch o.format {
	case "json":
		err = writeEvents(jsonWriter{out, isTerminal(w)}, t.flagged)
	case "csv":
		err = writeEventsCSV(out, t.flagged)
	default:
		_, err = out.WriteString(t.text(newPaint(w)))
	}
	return cmp.Or(err, out.Flush())
}
