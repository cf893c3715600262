package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/spf13/cobra"
)

func newTLDs() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tlds",
		Short: "Show or update the list of top-level domains",
		Long: `A bare host such as example.com is a link only below a top-level domain that
exists. A list of them is built in; a fresh one comes from IANA. It is kept in a
file, and a running linkmilter that is told to refresh the list looks there, too.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTLDsShow(), newTLDsUpdate())
	return cmd
}

// addFileFlag adds the flag that says where the list is kept.
func addFileFlag(cmd *cobra.Command, o *tlds.Options) {
	cmd.Flags().StringVar(&o.File, "file", "", "the list is kept in `FILE` (default: in the user's cache folder)")
}

func newTLDsShow() *cobra.Command {
	var o tlds.Options
	var dns bool
	cmd := &cobra.Command{
		Use:   "show [--file FILE] [--dns] [NAME]...",
		Short: "Print which list is in use, how old it is, and whether it has the given names",
		Long: `Prints the version of the list, its age, where it comes from and how many names
it has; where the file is not used, why. Each NAME is a top-level domain in any
form, or a host of which the last label counts.

--dns also asks the DNS for names that the list lacks: they may be new, or be
used inside your network only.

The exit status is 1 if a NAME is not in the list, nor, with --dns, in the DNS.`,
		Example: `  linkmilter tlds show
  linkmilter tlds show com рф example.zzzz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			keeper, err := tlds.Open(o)
			if err != nil {
				return err
			}
			if err := showList(cmd.OutOrStdout(), keeper, time.Now()); err != nil {
				return outputError(err)
			}
			if len(args) == 0 {
				return nil
			}
			lookup := nameLookup{list: keeper.Current()}
			if dns {
				if lookup.dns, err = tlds.NewChecker(tlds.CheckerOptions{}); err != nil {
					return err
				}
			}
			return lookup.show(cmd.Context(), cmd.OutOrStdout(), args)
		},
	}
	addFileFlag(cmd, &o)
	cmd.Flags().BoolVar(&dns, "dns", false, "ask the DNS for names that the list lacks")
	return cmd
}

func newTLDsUpdate() *cobra.Command {
	var o tlds.Options
	cmd := &cobra.Command{
		Use:   "update [--file FILE] [--url URL]",
		Short: "Fetch IANA's list now",
		Long: `Fetches IANA's list if there is a newer one, checks it, and keeps it in a file.
A list that is damaged, too small, older, or lacks many names of the current one
is refused, and the current one stays. Proxy variables of the environment count.`,
		Example: `  linkmilter tlds update
  linkmilter tlds update --file /var/cache/linkmilter/tlds-alpha-by-domain.txt`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGINT)
			defer stop()
			keeper, err := tlds.Open(o)
			if err != nil {
				return usageError(cmd, err)
			}
			return updateList(ctx, cmd.OutOrStdout(), keeper)
		},
	}
	addFileFlag(cmd, &o)
	cmd.Flags().StringVar(&o.URL, "url", tlds.DefaultURL, "fetch the list from `URL`, https only")
	return cmd
}

// updateList fetches the list and says what has changed.
func updateList(ctx context.Context, w io.Writer, keeper *tlds.Keeper) error {
	if keeper.File() == "" {
		return withAdvice(errors.New(keeper.Note()), "Name a file for the list with --file")
	}
	o, err := keeper.Update(ctx)
	if save := (*tlds.SaveError)(nil); errors.As(err, &save) {
		return fmt.Errorf("version %s fetched, but not stored in %s: %w", o.List.Version, save.File, save.Err)
	}
	if err != nil {
		l := keeper.Current()
		return withAdvice(fmt.Errorf("top-level domains: %w", err), fmt.Sprintf("The %s list stays in use, with %d names", l.Origin, l.Set.Len()))
	}
	verdict := "updated"
	if o.Unchanged {
		verdict = "up to date"
	}
	_, err = fmt.Fprintf(w, "%s: version %s, %d names, in %s\n", verdict, o.List.Version, o.List.Set.Len(), printable.Text(keeper.File()))
	for _, change := range []struct {
		what  string
		names []string
	}{{"added", o.Added()}, {"removed", o.Removed()}} {
		if len(change.names) > 0 && err == nil {
			_, err = fmt.Fprintf(w, "%s: %s\n", change.what, someOf(change.names))
		}
	}
	return outputError(err)
}

// someOf lists names, the first of them where there are many.
func someOf(names []string) string {
	const most = 20
	shown := make([]string, min(len(names), most))
	for i := range shown {
		shown[i] = nameForms(names[i])
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
