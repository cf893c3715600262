package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linkmilter/linkmilter/internal/quarantine"
)

// A heldSelection has the flags of a command that select messages in quarantine.
type heldSelection struct {
	olderThan, code string
	from, to        []string
}

func (s *heldSelection) add(flags *pflag.FlagSet) {
	flags.StringVar(&s.olderThan, "older-than", "", "messages that came before `TIME`: 30d, 2w, 12h or 2026-11-30")
	flags.StringVar(&s.code, "code", "", "messages with a finding of this `CODE`")
	flags.StringArrayVar(&s.from, "from", nil, "messages of this `SENDER`: anna@example.com, @example.com or .example.com (repeatable)")
	flags.StringArrayVar(&s.to, "to", nil, "messages to this `RECIPIENT`, in the same forms (repeatable)")
}

// isEmpty reports whether no flag is given.
func (s *heldSelection) isEmpty() bool {
	return s.olderThan == "" && s.code == "" && len(s.from)+len(s.to) == 0
}

// orNames accepts either names of messages or flags that select messages.
func (s *heldSelection) orNames(cmd *cobra.Command, args []string) error {
	switch {
	case s.isEmpty():
		return names(1, 0)(cmd, args)
	case len(args) > 0:
		return usageError(cmd, errors.New("names beside flags that select messages: ambiguous (want one of both)"))
	}
	return nil
}

// of returns the messages that the flags select.
func (s *heldSelection) of(folder *quarantine.Folder) ([]quarantine.Message, error) {
	before, err := timeFlag("--older-than", s.olderThan, time.Now())
	if err != nil {
		return nil, err
	}
	return folder.Select(quarantine.Filter{Before: before, Code: s.code, From: s.from, To: s.to})
}

// names returns the names in args, or those of the messages that the flags select.
func (s *heldSelection) names(folder *quarantine.Folder, args []string) (list []string, err error) {
	for _, arg := range args {
		list = append(list, quarantine.Undo(arg))
	}
	if s.isEmpty() {
		return list, nil
	}
	messages, err := s.of(folder)
	for _, m := range messages {
		list = append(list, m.Name)
	}
	return list, err
}

// hostName returns the configured name of this host, or the name that the system has.
func hostName(configured string) (string, error) {
	if configured != "" {
		return configured, nil
	}
	return os.Hostname()
}

func newQuarantineDigest(path *string) *cobra.Command {
	var to, users []string
	var since, from string
	var show bool
	cmd := &cobra.Command{
		Use:   "digest {--to ADDRESS | --users RECIPIENT}...",
		Short: "Tell operators or users by mail what came into quarantine",
		Long: `Sends a mail about the messages that came into quarantine to the address of --to, and
to each recipient that --users selects one about their own messages. The service does
so once a day by itself, with the table [digest] of the configuration. It is plain
text: sender, subject and reasons of each message, with dots, colons and at signs in
brackets, so that nothing in it can be opened. It goes to content_filter.next_hop with
the null sender. Without messages it sends none.`,
		Example: `  linkmilter quarantine digest --to postmaster@example.com
  linkmilter quarantine digest --users @example.com --since 7d --print`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(to)+len(users) == 0 {
				return usageError(cmd, errors.New("no reader (want --to postmaster@example.com, or --users @example.com)"))
			}
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
			now := time.Now()
			after, err := timeFlag("--since", since, now)
			if err != nil {
				return err
			}
			if from == "" {
				from = "postmaster@" + host
			}
			digests, err := folder.Digests(to, users, quarantine.Digest{From: from, Host: host, Since: after, Now: now})
			if err != nil {
				return err
			}
			var sent []bool
			if !show {
				sent, err = quarantine.Send(cmd.Context(), options.NextHop, host, digests)
			}
			problems := []error{err}
			for i, d := range digests {
				if show {
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s:\n%s\n", d.To, d.Text())
				} else if i < len(sent) && sent[i] {
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "sent %s\n", counted(len(d.Messages), "message"))
				}
				problems = append(problems, err)
			}
			return errors.Join(problems...)
		},
	}
	cmd.Flags().StringArrayVar(&to, "to", nil, "tell `ADDRESS` of all messages (repeatable)")
	cmd.Flags().StringArrayVar(&users, "users", nil, "tell each `RECIPIENT` of their own: anna@example.com, @example.com or .example.com (repeatable)")
	cmd.Flags().StringVar(&since, "since", "1d", "messages that came since `TIME`: 1d, 2w, 12h or 2026-11-30")
	cmd.Flags().StringVar(&from, "from", "", "take `ADDRESS` for replies, instead of postmaster at this host")
	cmd.Flags().BoolVar(&show, "print", false, "print what would be sent")
	return cmd
}
