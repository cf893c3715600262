package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/correspondents"
	"github.com/linkmilter/linkmilter/internal/printable"
)

func newCorrespondents() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "correspondents",
		Short: "Show, forget, export or import whom your users write to",
		Long: `With correspondents.file a running linkmilter learns from outgoing mail whom your
users write to, and flags mail from outside that looks like these. These commands
work beside it; it takes over what they change within ten minutes, or with a reload.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&path, "config", defaultConfig, "take correspondents.file from `FILE`")
	cmd.AddCommand(newCorrespondentsShow(&path), newCorrespondentsForget(&path), newCorrespondentsExport(&path), newCorrespondentsImport(&path))
	return cmd
}

// withCorrespondents calls work with the file that a configuration names.
func withCorrespondents(cmd *cobra.Command, path string, create bool, work func(context.Context, *correspondents.File) error) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	file, err := config.LoadWithoutKeys(path)
	if err != nil {
		return err
	}
	if file.Correspondents.File == "" {
		return fmt.Errorf("%q: correspondents.file is not set (want /var/lib/linkmilter/correspondents.db)", path)
	}
	known, err := correspondents.Open(ctx, file.Correspondents.File, create)
	if err != nil {
		return err
	}
	return errors.Join(work(ctx, known), known.Close())
}

func newCorrespondentsShow(path *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show [DOMAIN|ADDRESS]...",
		Short: "Print whom your users write to",
		Long: `Prints the domains, those to which users write most first: on how many days, from
when until when, by one user or several, and whether mail that looks like the domain is
flagged. With domains or addresses it prints these alone. The file has no address, but
knows whether it was written to.

The exit status is 1 if one of the names is not known.`,
		Example: `  linkmilter correspondents show
  linkmilter correspondents show example.com anna@example.com`,
		RunE: func(cmd *cobra.Command, names []string) error {
			return withCorrespondents(cmd, *path, false, func(ctx context.Context, known *correspondents.File) error {
				if len(names) > 0 {
					return showNames(ctx, cmd.OutOrStdout(), known, names)
				}
				var rows [][]cell
				for k, err := range known.Domains(ctx) {
					if err != nil {
						return err
					}
					rows = append(rows, knownRow(k.Domain, &k))
				}
				_, err := io.WriteString(cmd.OutOrStdout(), columns("", rows))
				return err
			})
		},
	}
}

// showNames prints what is known of each name.
func showNames(ctx context.Context, w io.Writer, known *correspondents.File, names []string) error {
	missing := false
	var rows [][]cell
	for _, name := range names {
		k, ok, err := known.Find(ctx, name)
		if err != nil {
			return err
		}
		if missing = missing || !ok; ok {
			rows = append(rows, knownRow(name, &k))
		} else {
			rows = append(rows, []cell{plainCell(printable.Text(name)), plainCell("not known")})
		}
	}
	if _, err := io.WriteString(w, columns("", rows)); err != nil {
		return outputError(err)
	}
	if missing {
		return errFindings
	}
	return nil
}

// knownRow says what is known of a name.
func knownRow(name string, k *correspondents.Known) []cell {
	row := []cell{plainCell(printable.Text(name)), plainCell(counted(k.Days, "day")), plainCell(k.First), plainCell(k.Last)}
	if k.Domain == "" {
		return row
	}
	users, watched := "one user", "not watched yet"
	if k.Several {
		users = "several users"
	}
	if k.Counts() {
		watched = "watched"
	}
	return append(row, plainCell(users), plainCell(watched))
}

func newCorrespondentsForget(path *string) *cobra.Command {
	return &cobra.Command{
		Use:   "forget DOMAIN|ADDRESS...",
		Short: "Forget domains or addresses",
		Long: `Removes domains or addresses, until users write to them again. The addresses of a
domain cannot be told from others: name them.

The exit status is 1 if one of the names is not known.`,
		Example: `  linkmilter correspondents forget exmaple.com anna@example.com`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				return usageError(cmd, errors.New("no name (want a domain or an address)"))
			}
			return withCorrespondents(cmd, *path, false, func(ctx context.Context, known *correspondents.File) error {
				missing := false
				for _, name := range names {
					was, err := known.Forget(ctx, name)
					if err != nil {
						return err
					}
					said := "forgotten"
					if missing = missing || !was; !was {
						said = "not known"
					}
					if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", printable.Text(name), said); err != nil {
						return outputError(err)
					}
				}
				if missing {
					return errFindings
				}
				return nil
			})
		},
	}
}

func newCorrespondentsExport(path *string) *cobra.Command {
	return &cobra.Command{
		Use:   "export",
		Short: "Print all that is known, for another machine",
		Long: `Prints a JSON object a line: domains, and hashes of addresses. The hashes are of use
only with the key, the file beside correspondents.file whose name ends in .key.`,
		Example: `  linkmilter correspondents export > correspondents.jsonl`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withCorrespondents(cmd, *path, false, func(ctx context.Context, known *correspondents.File) error {
				return known.Export(ctx, cmd.OutOrStdout())
			})
		},
	}
}

func newCorrespondentsImport(path *string) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE|-",
		Short: "Add what another machine exported",
		Long: `Adds the lines of an export. What both machines know has the earlier first day, the
later last one and the larger count. Hashes by another key are left out.`,
		Example: `  linkmilter correspondents import correspondents.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError(cmd, errors.New(strconv.Itoa(len(args))+" files (want one, or -)"))
			}
			in := typedInput(cmd)
			if args[0] != "-" {
				file, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			}
			return withCorrespondents(cmd, *path, true, func(ctx context.Context, known *correspondents.File) error {
				taken, err := known.Import(ctx, in)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				said := fmt.Sprintf("%s, %s", counted(taken.Domains, "domain"), countedAddresses(taken.Addresses))
				if taken.OtherKey {
					said += "; the addresses are by another key and were left out"
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), said)
				return outputError(err)
			})
		},
	}
}

func countedAddresses(n int) string {
	if n == 1 {
		return "1 address"
	}
	return strconv.Itoa(n) + " addresses"
}
