package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/printable"
)

func newLists() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lists",
		Short: "Show, update or try lists of hosts and URLs that others publish",
		Long: `Each [[list]] of the configuration names a list of hosts or URLs. A running
linkmilter keeps it fresh; a link that it has gets the finding "listed".`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newListsShow(), newListsUpdate(), newListsRead())
	return cmd
}

// listsFlags say which lists there are, and where they are kept.
type listsFlags struct{ config, folder string }

func (o *listsFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.config, "config", "", "the lists of the configuration in `FILE`")
	cmd.Flags().StringVar(&o.folder, "folder", "", "the lists are kept in `DIR` (default: lists in the cache folder)")
	_ = cmd.MarkFlagRequired("config") // no error, since the flag exists
}

// open returns the lists as they are on disk.
func (o *listsFlags) open() (*lists.Set, error) {
	file, err := config.LoadWithoutKeys(o.config)
	if err != nil {
		return nil, err
	}
	set := lists.New(lists.Options{Folder: o.folder})
	set.Use(file.Sources())
	return set, nil
}

func newListsShow() *cobra.Command {
	var o listsFlags
	cmd := &cobra.Command{
		Use:   "show --config FILE [--folder DIR]",
		Short: "Print what is known of each list",
		Long: `Prints for each list its age, its entries, the lines that are not used and why,
and what went wrong with the last request.

The exit status is 1 if a list is stale or could not be updated.`,
		Example: `  linkmilter lists show --config /etc/linkmilter/linkmilter.toml`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := o.open()
			if err != nil {
				return err
			}
			now := time.Now()
			bad := false
			for _, s := range set.States() {
				if err := showState(cmd.OutOrStdout(), &s, now); err != nil {
					return outputError(err)
				}
				bad = bad || s.Stale || s.Problem != nil
			}
			if bad {
				return errFindings
			}
			return nil
		},
	}
	o.add(cmd)
	return cmd
}

func newListsUpdate() *cobra.Command {
	var o listsFlags
	var now, accept bool
	cmd := &cobra.Command{
		Use:   "update --config FILE [--folder DIR] [--now] [--accept] [NAME]...",
		Short: "Fetch lists that are due",
		Long: `Fetches the lists with these names, or all, reads them and makes their indexes.
A list that was asked for less than its interval ago stays; --now asks anyway. After
an error the list before stays in use.

A list that suddenly has less than half or more than twice as many entries is used
only after three such answers; --accept takes it now.`,
		Example: `  linkmilter lists update --config /etc/linkmilter/linkmilter.toml
  linkmilter lists update --config linkmilter.toml --accept openphish`,
		RunE: func(cmd *cobra.Command, names []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGINT)
			defer stop()
			set, err := o.open()
			if err != nil {
				return err
			}
			return updateLists(ctx, cmd.OutOrStdout(), set, names, now, accept)
		},
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&now, "now", false, "ask also for lists whose interval is not over")
	cmd.Flags().BoolVar(&accept, "accept", false, "take lists of any size")
	return cmd
}

// updateLists fetches lists and prints the changes.
func updateLists(ctx context.Context, w io.Writer, set *lists.Set, names []string, now, accept bool) error {
	var failed []error
	err := set.Update(ctx, names, now, accept, func(s lists.State, err error) {
		if err != nil {
			failed = append(failed, fmt.Errorf("list %q: %w", s.Name, err))
			return
		}
		_, err = fmt.Fprintf(w, "%s: %s entries, %s added, %s removed, %s not used, as of %s\n", s.Name, printable.Number(s.Entries),
			printable.Number(s.Added), printable.Number(s.Removed), counted(s.UnreadLines(), "line"), s.Checked.Format(dayAndTime))
		failed = append(failed, outputError(err))
	})
	if len(failed) == 0 {
		return err // an error if a name is not in the configuration
	}
	return joinLines(slices.DeleteFunc(failed, func(err error) bool { return err == nil }))
}

func newListsRead() *cobra.Command {
	var format, column, match string
	cmd := &cobra.Command{
		Use:   "read [--format FORMAT] [--column COLUMN] [--match MATCH] FILE...",
		Short: "Read files as lists, and print what would be used of them",
		Long: `Reads each file as a list of the configuration would be read, and prints its
format, its entries, and which lines would not be used. It keeps nothing.

The exit status is 1 if a file has no entry.`,
		Example: `  linkmilter lists read feed.txt
  linkmilter lists read --format csv --column 3 export.csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(cmd, errors.New("no file (want the file of a list)"))
			}
			empty := false
			for _, path := range args {
				summary, err := lists.Read(path, lists.Format(format), column, lists.Match(match))
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				if err := showSummary(cmd.OutOrStdout(), path, &summary); err != nil {
					return outputError(err)
				}
				empty = empty || summary.Entries == 0
			}
			if empty {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "auto", "how it is written: "+orList(lists.Formats()))
	cmd.Flags().StringVar(&column, "column", "", "the `COLUMN` of csv with the hosts or URLs, by its name or number")
	cmd.Flags().StringVar(&match, "match", "written", "which links a line is about: written, host, below or prefix")
	return cmd
}

// showState prints the state of a list.
func showState(w io.Writer, s *lists.State, now time.Time) error {
	if err := showSummary(w, s.Name, &s.Summary); err != nil {
		return err
	}
	rows := [][]cell{
		{plainCell("means"), plainCell(string(s.Means))},
		{plainCell("checked"), plainCell(ageOf(s.Checked, now))},
		{plainCell("changed"), plainCell(ageOf(s.Changed, now))},
		{plainCell("kept in"), plainCell(printable.Text(s.Path))},
	}
	if s.Stale {
		rows = append(rows, []cell{plainCell("stale"), plainCell("its source did not confirm it for long")})
	}
	if s.Problem != nil {
		rows = append(rows, []cell{plainCell("problem"), plainCell(printable.Text(s.Problem.Error()))})
	}
	_, err := io.WriteString(w, columns("  ", rows))
	return err
}

// showSummary prints the summary of a list that was read.
func showSummary(w io.Writer, name string, s *lists.Summary) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", printable.Text(name))
	rows := [][]cell{
		{plainCell("format"), plainCell(cmp.Or(string(s.Format), "not read yet"))},
		{plainCell("lines"), plainCell(fmt.Sprintf("%s: %s used, %s comments and the like, %s not used", printable.Number(s.Lines), printable.Number(s.Used), printable.Number(s.Comments), printable.Number(s.UnreadLines())))},
		{plainCell("entries"), plainCell(fmt.Sprintf("%s, and %s twice", printable.Number(s.Entries), printable.Number(s.Duplicates)))},
	}
	whys := slices.SortedFunc(maps.Keys(s.Unread), func(a, b string) int { return cmp.Or(cmp.Compare(s.Unread[b], s.Unread[a]), cmp.Compare(a, b)) })
	for _, why := range whys {
		rows = append(rows, []cell{plainCell("not used"), plainCell(counted(s.Unread[why], "line") + ": " + printable.Text(why))})
	}
	for _, example := range s.Examples {
		rows = append(rows, []cell{plainCell(fmt.Sprintf("line %d", example.Line)), plainCell(printable.Text(example.Text))})
	}
	b.WriteString(columns("  ", rows))
	_, err := io.WriteString(w, b.String())
	return err
}
