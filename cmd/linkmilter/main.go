// Command linkmilter finds, judges and makes readable the links of mail: as a
// milter for Postfix and Sendmail, and as a tool for files.
//
// How it speaks to people:
//   - results go to standard output, everything else to standard error;
//   - an error is one line, lower case, the program's name first: what was
//     being done to which file, what went wrong, and on the next line what to do;
//   - text that comes from messages is never printed raw where it could steer
//     the terminal: controls and Bidi controls are shown as \u{…};
//   - exit 0: done; 1: findings at or above --fail-on, or not healthy; 2: usage, configuration
//     or I/O error; 3: serve could not go on, and may be started again.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/policy"
)

const (
	exitFindings  = 1
	exitUnhealthy = 1
	exitError     = 2
	exitService   = 3
)

func main() {
	err := newRoot().ExecuteContext(context.Background())
	if err == nil {
		return
	}
	if errors.Is(err, errFindings) {
		os.Exit(exitFindings)
	}
	fmt.Fprintln(os.Stderr, errorText(err))
	if line := advice(err); line != "" {
		fmt.Fprintln(os.Stderr, line)
	}
	if errors.As(err, new(serviceError)) {
		os.Exit(exitService)
	}
	if errors.As(err, new(unhealthy)) {
		os.Exit(exitUnhealthy)
	}
	os.Exit(exitError)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "linkmilter",
		Short: "Find links in mail exactly as UTS #58 says, make them readable, and flag the spoofable ones",
		Long: `linkmilter finds every URL and e-mail address in a message, in every script,
exactly as Unicode Technical Standard #58 says. It judges each one, and adds an
HTML alternative in which over-escaped links are readable again.

It runs as a milter beside Postfix or Sendmail or in the SMTP path (linkmilter
serve), and on files (linkmilter scan, linkmilter rewrite).

Exit status: 0 done, 1 findings at or above --fail-on, 2 usage or I/O error.`,
		Example: `  linkmilter demo                                  see it at work, without set-up
  linkmilter serve --milter inet:8895@127.0.0.1    run beside Postfix or Sendmail
  linkmilter scan ~/Maildir                        list the links of a mailbox
  linkmilter rewrite < in.eml > out.eml            edit a message as the milter would`,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Version = programVersion()
	root.SetVersionTemplate("linkmilter {{.Version}}\n")
	root.InitDefaultVersionFlag()
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError(cmd, withFlag(cmd, err))
	})
	root.SuggestionsMinimumDistance = 2
	root.SetHelpCommand(newHelp())
	root.AddCommand(newServe(), newScan(), newRewrite(), newFormat(), newExplain(), newTLDs(), newLists(), newCorrespondents(), newReport(), newTry(),
		newDKIM(), newQuarantine(), newCheckConfig(), newHealth(), newPassword(), newDemo(), newVersion())
	completeFlags(root)
	return root
}

// newHelp is cobra's help command, which also refuses unknown commands.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err == nil {
				err = noArguments(topic, rest)
			}
			if err != nil {
				return err
			}
			return topic.Help()
		},
	}
}

// choices matches the words that the help of a flag lists after a colon.
var choices = regexp.MustCompile(`: ([a-z]+(?:, [a-z]+)* or [a-z]+)`)

// completeFlags lets shells complete the values of flags: words that the help lists, codes of
// findings, names of rules, and configuration files.
func completeFlags(cmd *cobra.Command) {
	add := func(f *pflag.Flag) {
		if f.Name == "config" {
			_ = cmd.MarkFlagFilename(f.Name, "toml") // no error, since the flag exists
			return
		}
		if f.Name == "code" || f.Name == "only" {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, func(*cobra.Command, []string, string) (codes []string, _ cobra.ShellCompDirective) {
				for code := range policy.Codes() {
					codes = append(codes, string(code))
				}
				return codes, cobra.ShellCompDirectiveNoFileComp
			})
			return
		}
		if f.Name == "rule" {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, completeRules)
			return
		}
		if words := choicesOf(f.Usage); words != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	cmd.LocalFlags().VisitAll(add)
	for _, below := range cmd.Commands() {
		completeFlags(below)
	}
}

// completeRules completes names of rules: those of the configuration that the line names, else the
// built-in ones.
func completeRules(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	file := config.Default()
	if path := cmd.Flag("config"); path != nil && path.Value.String() != "" {
		read, err := config.LoadWithoutKeys(path.Value.String())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		file = *read
	}
	for _, r := range file.RulesInForce() {
		names = append(names, r.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// choicesOf returns the words that the help of a flag lists, or nil.
func choicesOf(help string) []string {
	m := choices.FindStringSubmatch(help)
	if m == nil {
		return nil
	}
	return strings.Split(strings.Replace(m[1], " or ", ", ", 1), ", ")
}

// completeConfig completes the path of a configuration file.
func completeConfig(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
}

// gcPercent is how much the heap of a command grows before garbage collection, in percent. The heap
// of most commands then stays at its minimum size, and the runtime does not return memory to the
// system only to take it back.
const gcPercent = 400

// boundMemory makes garbage collection run less often, for speed, until a command needs
// nearly as much memory as serve may. GOGC and GOMEMLIMIT in the environment take
// precedence.
func boundMemory() {
	runtime.MemProfileRate = 0 // commands show no memory profile
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mailserver.DefaultMemory)
	}
}
