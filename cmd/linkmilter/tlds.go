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

	"github.com/spf13/cobra"
	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/tlds"
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

// updateList fetches the list and prints the changes.
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

// someOf lists names, but only the first ones if there are many.
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

// showList prints which list is in use.
func showList(w io.Writer, keeper *tlds.Keeper, now time.Time) error {
	l := keeper.Current()
	version, source := l.Version, "file "+keeper.File()
	if l.Origin == tlds.OriginBuiltin {
		version, source = "that of the public suffix list", "built in"
	}
	if l.Origin == tlds.OriginPackage {
		source = "package"
	}
	rows := [][]cell{
		{plainCell("version"), plainCell(version)},
		{plainCell("age"), plainCell(ageOf(l.Updated, now))},
	}
	if !l.Checked.IsZero() {
		rows = append(rows, []cell{plainCell("checked"), plainCell(ageOf(l.Checked, now) + " ago")})
	}
	rows = append(rows,
		[]cell{plainCell("source"), plainCell(source)},
		[]cell{plainCell("names"), plainCell(fmt.Sprint(l.Set.Len()))})
	if note := keeper.Note(); note != "" {
		rows = append(rows, []cell{plainCell("note"), plainCell(printable.Text(note))})
	}
	_, err := io.WriteString(w, columns("", rows))
	return err
}

// ageOf says how long ago a time was, with the date for times older
// than a few hours.
func ageOf(t, now time.Time) string {
	age := now.Sub(t)
	switch {
	case t.IsZero():
		return "unknown"
	case age < 2*time.Minute:
		return "a moment"
	case age < 2*time.Hour:
		return fmt.Sprintf("%d minutes", age/time.Minute)
	case age < 48*time.Hour:
		return fmt.Sprintf("%d hours", age/time.Hour)
	}
	return fmt.Sprintf("%d days, of %s", age/(24*time.Hour), t.UTC().Format("2006-01-02"))
}

// nameLookup looks up names in a list, and also in the DNS if dns is not nil.
type nameLookup struct {
	list *tlds.List
	dns  *tlds.Checker
}

// show prints for each name whether it is a top-level domain. It returns
// errFindings if one is not.
func (n nameLookup) show(ctx context.Context, w io.Writer, names []string) error {
	var rows [][]cell
	var result error
	for _, name := range names {
		label := lastLabel(name)
		state := "known"
		if !n.list.Set.Contains(label) {
			exists, err := n.inDNS(ctx, label)
			switch {
			case err != nil:
				return err
			case exists:
				state = "not in the list, but in the DNS"
			default:
				state, result = "not known", errFindings
			}
		}
		rows = append(rows, []cell{plainCell(printable.Text(nameForms(label))), plainCell(state)})
	}
	if _, err := io.WriteString(w, "\n"+columns("", rows)); err != nil {
		return outputError(err)
	}
	return result
}

func (n nameLookup) inDNS(ctx context.Context, label string) (bool, error) {
	if n.dns == nil {
		return false, nil
	}
	return n.dns.Exists(ctx, label)
}

// lastLabel returns the top-level domain of a name: "com" for "com", ".com",
// "example.com" and "example.com.".
func lastLabel(name string) string {
	name = strings.TrimSuffix(name, ".")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// nameForms returns a label with its other form, if it has one: "рф (xn--p1ai)".
func nameForms(label string) string {
	ascii, err := idna.Lookup.ToASCII(label)
	if err != nil {
		return label
	}
	if unicode, err := idna.Lookup.ToUnicode(ascii); err == nil && unicode != ascii {
		return fmt.Sprintf("%s (%s)", unicode, ascii)
	}
	return label
}
