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
		Long: `Reads a configuration file as serve does, with the files that it names, and
reports everything that is wrong with it at once. It starts nothing. Each line is

  linkmilter: FILE:LINE:COLUMN: KEY: VALUE: PROBLEM (want EXAMPLE)

with the key, the value or the code that was probably meant. Lines with "warning:"
are about a good file that may not do what you expect: rules that never decide,
keys without effect, limits that another one makes unreachable, no trusted rule.

For a good file it says where serve listens, and lists the rules in force in their
order, each with what it does: for each message the first one whose conditions all
hold decides. Built-in rules apply if the file has none, or with builtin_rules = true:
then a rule with the name of a built-in one takes its place, and others go before.

config.example.toml has every key with its default; linkmilter rewrite --config
FILE --rule NAME shows what a rule makes of one message.

Exit status: 0 the file is good, with or without warnings; 2 it is not.`,
		Example: `  linkmilter check-config /etc/linkmilter.toml
  linkmilter check-config /etc/linkmilter.toml && systemctl reload linkmilter

A key that is misspelt:
  linkmilter: linkmilter.toml:5:1: limits.mesage: unknown key (did you mean message?)
A rule behind one that takes everything:
  linkmilter: linkmilter.toml:9:3: warning: rule[1]: rule "late": never decides, ...`,
		ValidArgsFunction: completeConfig,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError(cmd, fmt.Errorf("name one configuration file"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			review, err := config.Check(args[0])
			if review != nil && len(review.Warnings) > 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), errorText(review.Warnings))
			}
			if err != nil {
				return err
			}
			rules := review.File.RulesInForce()
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is good: %s\n%s\n%s", printable.Text(args[0]),
				counted(len(rules), "rule"), listening(review.File), inForce(rules))
			return err
		},
	}
}

// listening describes where serve listens with a file, unless the command line or systemd gives
// other addresses.
func listening(file *config.File) string {
	var places []string
	for _, address := range file.Milter.Listen {
		places = append(places, "milter "+printable.Text(address))
	}
	for _, address := range file.ContentFilter.Listen {
		places = append(places, "smtp "+printable.Text(address))
	}
	for _, address := range file.HTTP.Listen {
		places = append(places, "http "+printable.Text(address))
	}
	if len(places) == 0 {
		return "listens nowhere by itself: milter.listen, content_filter.listen and http.listen are empty"
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
		fmt.Fprintf(&b, "%3d. %s (%s): %s\n", i+1, r.Name, where, r.Words)
	}
	return b.String()
}
