package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/envelope"
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

// run tries the messages of the paths, with the envelope env or, where that is nil, those
// that they probably had.
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
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	out := bufio.NewWriter(cmd.OutOrStdout())
	objects := jsonWriter{out, isTerminal(cmd.OutOrStdout())}
	progress := newProgress(cmd.ErrOrStderr())
	progress.expect(ctx, paths)
	counts := newTrialCounts()
	var failed []error
	work := func(in input) *trial {
		return newTrial(cmd.Context(), f, in, env, o.format == "html") // what was begun is finished
	}
	for t, err := range newArchive(paths, typedInput(cmd), readLimit(options), work).results(ctx) {
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
