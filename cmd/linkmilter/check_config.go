package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/printable"
)

func newCheckConfig() *cobra.Command {
	return &cobra.Command{
		Use:   "check-config FILE",
		Short: "Check a configuration file and name everything that is wrong with it",
		Long: `Reads a configuration file as serve does and says what is wrong with it, all at
once, each with its line and column. Of a good file it says where serve listens.
Nothing is started. The exit status is 0 if the file is good, else 2.`,
		Example: `  linkmilter check-config /etc/linkmilter.toml && systemctl reload linkmilter`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError(cmd, fmt.Errorf("name one configuration file"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			review, err := config.Check(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is good: %s\n%s\n%s", printable.Text(args[0]),
				counted(len(review.Rules), "rule"), listening(review.File), inForce(review.Rules))
			return err
		},
	}
}

// listening says where serve listens with a file, unless the command line or systemd
// says otherwise.
func listening(file *config.File) string {
	var places []string
	for _, address := range file.Milter.Listen {
		places = append(places, "milter "+printable.Text(address))
	}
	for _, address := range file.ContentFilter.Listen {
		places = append(places, "smtp "+printable.Text(address))
	}
	if len(places) == 0 {
		return "listens nowhere by itself: milter.listen and content_filter.listen are empty"
	}
	return "listens for " + strings.Join(places, ", ")
}

// inForce lists the rules in the order in which linkmilter tries them.
func inForce(rules []config.RuleInForce) string {
	var b strings.Builder
	b.WriteString("rules in force, of which the first that matches decides:\n")
	for i, r := range rules {
		where := "built in"
		if r.Line > 0 {
			where = fmt.Sprintf("line %d", r.Line)
		}
		fmt.Fprintf(&b, "%3d. %s (%s)\n", i+1, r.Name, where)
	}
	return b.String()
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
