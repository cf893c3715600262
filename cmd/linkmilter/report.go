package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/eventlog"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// reportOptions are the flags of `report`.
type reportOptions struct {
	since     string
	about     string
	recipient string
	format    string
	all       bool
	listed    bool
	config    string
}

func newReport() *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report [--since DATE] [--about NAME] [--recipient TEXT] [--all] [--listed --config FILE] [--format FORMAT] [FILE|-]...",
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

The other formats give the hosts of flagged links to other programs: a hosts file, a
map of Rspamd, rules of SpamAssassin, a table of Postfix, a response policy zone, an
event of MISP, a bundle of STIX 2.1 or a Sigma rule in JSON. Hosts of popular sites
and of services that pass on to others are left out. Look at the rest, too.

--listed reads no log, but the history of the configuration: it shows who received
a link that a list has now, whether it had it then, and what happened to the
message. With admin.history_seen the history has the links of all messages.

The exit status is 2 if a file or a line about a message could not be read.`,
		Example: `  journalctl -u linkmilter -o json --since -14d | linkmilter report
  linkmilter report --since 30d --about bank.example /var/log/linkmilter.log*
  linkmilter report --recipient carol@example.com --format csv linkmilter.json
  linkmilter report --listed --config /etc/linkmilter.toml --since 30d`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.since, "since", "7d", "messages from `DATE` on: 2026-11-30, or 2w, 7d or 12h ago")
	flags.StringVar(&o.about, "about", "", "only messages with a flagged link to `NAME`, or with one that imitates it")
	flags.StringVar(&o.recipient, "recipient", "", "only messages to recipients that contain `TEXT`")
	flags.BoolVar(&o.all, "all", false, "list all flagged messages, not only the newest 50")
	flags.BoolVar(&o.listed, "listed", false, "who received a link that a list has now")
	flags.StringVar(&o.config, "config", "", "with --listed: the lists and the history of the configuration in `FILE`")
	flags.StringVar(&o.format, "format", "table", "print as `FORMAT`: table, json, csv, hosts, rspamd, spamassassin, postfix, rpz, misp, stix or sigma")
	return cmd
}

// run reads the logs at paths, and prints the answer.
func (o *reportOptions) run(cmd *cobra.Command, paths []string) error {
	now := time.Now()
	since, err := sinceFlag(o.since, now)
	if err != nil {
		return usageError(cmd, err)
	}
	_, gives := indicatorFormats[o.format]
	if !gives && !slices.Contains([]string{"table", "json", "csv"}, o.format) {
		return usageError(cmd, fmt.Errorf("--format %q: unknown (want table, json, csv, hosts, rspamd, spamassassin, postfix, rpz, misp, stix or sigma)", o.format))
	}
	about, err := aboutHost(o.about)
	if err != nil {
		return usageError(cmd, err)
	}
	if o.listed || o.config != "" {
		return o.lookBack(cmd, paths, since, about)
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

// write writes the counts to w, the standard output, in the format of the flags.
func (o *reportOptions) write(w io.Writer, t *tally) (err error) {
	out := bufio.NewWriter(w)
	switch o.format {
	case "json":
		err = writeEvents(jsonWriter{out, isTerminal(w)}, t.flagged)
	case "csv":
		err = writeEventsCSV(out, t.flagged)
	case "table":
		_, err = out.WriteString(t.text(newPaint(w)))
	default:
		err = indicatorFormats[o.format](out, newIndicators(t.flagged), t.at)
	}
	return cmp.Or(err, out.Flush())
}

// A tally counts the messages of a period in the log, and those of the period of the same length
// before it.
type tally struct {
	about            string    // the host asked for, as [aboutHost] returns it, or ""
	recipient        string    // the part of an address asked for, or ""
	at               time.Time // when the report is made
	before, since    time.Time // when the two periods begin
	now, last        period
	keep             int               // how many flagged messages to keep; 0: all
	flagged          []*eventlog.Event // flagged messages of the period that are asked for: the newest, or all
	first, newest    time.Time         // times of all events that were read
	names, lastNames map[string]int    // imitated names in the two periods
}

// A period has the counts of a period.
type period struct {
	messages, flagged, edited int
	actions, notEdited, nodes map[string]int
}

func newPeriod() period {
	return period{actions: make(map[string]int), notEdited: make(map[string]int), nodes: make(map[string]int)}
}

func newTally(since, now time.Time, about, recipient string, keep int) *tally {
	return &tally{
		keep:  keep,
		about: about, recipient: strings.ToLower(recipient), at: now, since: since, before: since.Add(-now.Sub(since)), now: newPeriod(), last: newPeriod(),
		names: make(map[string]int), lastNames: make(map[string]int),
	}
}

// aboutHost returns a host in the form of the log, or "" for "". The text may be a host in Unicode,
// an address, a URL, or any of these defanged.
func aboutHost(text string) (string, error) {
	host := strings.ReplaceAll(strings.TrimSpace(text), "[.]", ".")
	if _, behind, ok := strings.Cut(host, "://"); ok {
		host = behind
	}
	if i := strings.IndexAny(host, "/?#\\"); i >= 0 {
		host = host[:i]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if name, port, err := net.SplitHostPort(host); err == nil && strings.Trim(port, "0123456789") == "" && !strings.HasPrefix(host, "[") {
		host = name
	}
	if host = hostname.Canonical(host); text != "" && !hostname.IsDomain(host) && !hostname.IsLiteral(host) {
		return "", fmt.Errorf("--about %q: not a host (want bank.example)", text)
	}
	return host, nil
}

// read counts the events in a log file. An error may also be about lines that could not be read.
func (t *tally) read(r io.Reader) error {
	log := eventlog.Log{Now: t.at}
	for e, err := range log.Read(r) {
		if err != nil {
			return err
		}
		t.add(e)
	}
	if log.Damaged > 0 {
		return fmt.Errorf("%s about messages not counted: cut off, or without a time (want journalctl -o json)", counted(log.Damaged, "line"))
	}
	return nil
}

func (t *tally) add(e *eventlog.Event) {
	if t.first.IsZero() || e.Time.Before(t.first) {
		t.first = e.Time
	}
	if e.Time.After(t.newest) {
		t.newest = e.Time
	}
	if !t.wants(e) {
		return
	}
	p, names := &t.now, t.names
	switch {
	case e.Time.Before(t.before):
		return
	case e.Time.Before(t.since):
		p, names = &t.last, t.lastNames
	case e.Flagged():
		t.flagged = append(t.flagged, e)
		if t.keep > 0 && len(t.flagged) >= 2*t.keep {
			t.sort()
		}
	}
	p.add(e)
	for _, name := range e.LooksLike {
		names[name]++
	}
}

func (p *period) add(e *eventlog.Event) {
	p.messages++
	p.nodes[e.Node]++
	if e.Flagged() {
		p.flagged++
	}
	if e.Edited {
		p.edited++
	} else if e.NotDone != "" {
		p.notEdited[e.NotDone]++
	}
	if e.Action != "" {
		p.actions[e.WhatHappened()]++
	}
}

// wants reports whether an event is about the name and to the recipient asked for.
func (t *tally) wants(e *eventlog.Event) bool {
	if name := t.about; name != "" {
		isAbout := func(host string) bool { return host == name || strings.HasSuffix(host, "."+name) }
		if !slices.ContainsFunc(e.Hosts, isAbout) && !slices.ContainsFunc(e.LooksLike, isAbout) {
			return false
		}
	}
	return t.recipient == "" || slices.ContainsFunc(e.Recipients, func(r string) bool {
		return strings.Contains(strings.ToLower(r), t.recipient)
	})
}

// severalNodes reports whether the messages went through more than one machine.
func (t *tally) severalNodes() bool {
	nodes := maps.Clone(t.last.nodes)
	maps.Copy(nodes, t.now.nodes)
	return len(nodes) > 1
}

// sort puts the newest flagged messages first, and drops those beyond keep.
func (t *tally) sort() {
	slices.SortStableFunc(t.flagged, func(a, b *eventlog.Event) int { return b.Time.Compare(a.Time) })
	if t.keep > 0 && len(t.flagged) > t.keep {
		clear(t.flagged[t.keep:])
		t.flagged = t.flagged[:t.keep]
	}
}
