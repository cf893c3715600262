package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/quarantine"
)

// defaultConfig is the configuration file of the service.
const defaultConfig = "/etc/linkmilter.toml"

func newQuarantine() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "quarantine",
		Short: "List, show, release and delete messages in the quarantine of the content filter, and tell of them",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&path, "config", defaultConfig, "take quarantine and next hop from `FILE`")
	cmd.AddCommand(newQuarantineList(&path), newQuarantineShow(&path), newQuarantineRelease(&path), newQuarantineDelete(&path), newQuarantineDigest(&path))
	return cmd
}

func newQuarantineList(path *string) *cobra.Command {
	var which heldSelection
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the messages in quarantine",
		Long: `Lists the messages in the Maildir of content_filter.quarantine, the oldest first:
name, time, queue id, severity, size, sender, number of recipients, subject. It does
not name the recipients. Messages on hold in Postfix's queue are not here: see mailq.`,
		Example: `  linkmilter quarantine list
  linkmilter quarantine list --code lookalike --older-than 7d`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, folder, err := openQuarantine(*path)
			if err != nil {
				return err
			}
			defer folder.Close()
			messages, err := which.of(folder)
			if err != nil {
				return err
			}
			var rows [][]cell
			p := newPaint(cmd.OutOrStdout())
			for _, m := range messages {
				rows = append(rows, []cell{
					plainCell(m.Name), plainCell(m.Time.Format(dayAndTime)), plainCell(m.QueueID), plainCell(m.Worst),
					plainCell(strconv.FormatInt(m.Size, 10)), p.cell("<" + m.Sender + ">"), plainCell(counted(m.Recipients, "recipient")), p.cell(m.Subject),
				})
			}
			_, err = io.WriteString(cmd.OutOrStdout(), columns("", rows))
			return err
		},
	}
	which.add(cmd.Flags())
	return cmd
}

func newQuarantineShow(path *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Print a message in quarantine",
		Long: `Prints a message with its tags, without the field of the quarantine and without its
envelope, so that recipients of blind copies are not disclosed.`,
		Example: `  linkmilter quarantine show NAME | linkmilter scan`,
		Args:    names(1, 1),

		ValidArgsFunction: completeNames(path),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, folder, err := openQuarantine(*path)
			if err != nil {
				return err
			}
			defer folder.Close()
			message, err := folder.Read(quarantine.Undo(args[0]))
			if err != nil {
				return err
			}
			return writeMessage(cmd.OutOrStdout(), false, message)
		},
	}
}

func newQuarantineRelease(path *string) *cobra.Command {
	var which heldSelection
	cmd := &cobra.Command{
		Use:   "release [NAME...]",
		Short: "Send messages in quarantine to their recipients",
		Long: `Sends messages to all their recipients by content_filter.next_hop, and deletes them:
those with the names, or those that all of the flags select. They go without the field
of the quarantine, their tags and the text before their subject, so that no recipe files
them again. linkmilter does not judge them again. Recipients that the next hop refuses
stay in the envelope, and so does the message.`,
		Example: `  linkmilter quarantine release NAME
  linkmilter quarantine release --from @newsletter.example.com`,
		Args: which.orNames,

		ValidArgsFunction: completeNames(path),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, folder, err := openQuarantine(*path)
			if err != nil {
				return err
			}
			defer folder.Close()
			options, err := file.ContentFilterOptions(file.ContentFilter.NextHop, nil, nil)
			if err != nil {
				return err
			}
			host, err := hostName(options.Name)
			if err != nil {
				return err
			}
			list, err := which.names(folder, args)
			if err != nil {
				return err
			}
			var tags []string
			for _, r := range file.Rules {
				tags = append(tags, r.SubjectTag)
			}
			return each(cmd, list, "released", func(name string) error {
				return folder.Release(cmd.Context(), options.NextHop, host, name, tags...)
			})
		},
	}
	which.add(cmd.Flags())
	return cmd
}

func newQuarantineDelete(path *string) *cobra.Command {
	var which heldSelection
	cmd := &cobra.Command{
		Use:   "delete [NAME...]",
		Short: "Delete messages in quarantine",
		Long: `Deletes messages and their envelopes: those with the names, or those that all of the
flags select. They do not reach their recipients. serve deletes old messages by itself
(content_filter.quarantine_days, quarantine_size).`,
		Example: `  linkmilter quarantine delete NAME
  linkmilter quarantine delete --older-than 30d --code lookalike`,
		Args: which.orNames,

		ValidArgsFunction: completeNames(path),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, folder, err := openQuarantine(*path)
			if err != nil {
				return err
			}
			defer folder.Close()
			list, err := which.names(folder, args)
			if err != nil {
				return err
			}
			return each(cmd, list, "deleted", folder.Delete)
		},
	}
	which.add(cmd.Flags())
	return cmd
}

// openQuarantine returns the configuration in a file, and the quarantine that it names.
func openQuarantine(path string) (*config.File, *quarantine.Folder, error) {
	file, err := config.LoadWithoutKeys(path)
	if err != nil {
		return nil, nil, err
	}
	if file.ContentFilter.Quarantine == "" {
		return nil, nil, fmt.Errorf("%q: content_filter.quarantine is not set (want the path of a Maildir)", path)
	}
	folder, err := quarantine.Open(file.ContentFilter.Quarantine)
	return file, folder, err
}

// each calls a function for each message and prints that it was done. It goes on after an error.
func each(cmd *cobra.Command, messages []string, done string, do func(name string) error) error {
	var problems []error
	for _, name := range messages {
		if err := do(name); err != nil {
			problems = append(problems, err)
			continue
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", done, printable.Text(name)); err != nil {
			return err
		}
	}
	return errors.Join(problems...)
}

// completeNames completes names of messages in quarantine.
func completeNames(path *string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		_, folder, err := openQuarantine(*path)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer folder.Close()
		messages, err := folder.List()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, m := range messages {
			names = append(names, m.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// names checks that there are from least to most arguments; a most of 0 means any number.
func names(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most > 0 && len(args) > most {
			return usageError(cmd, fmt.Errorf("%d names of messages: wrong number (linkmilter quarantine list has them)", len(args)))
		}
		return nil
	}
}
