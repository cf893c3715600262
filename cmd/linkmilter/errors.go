package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// errFindings ends a command that found something at or above --fail-on.
var errFindings = errors.New("findings at or above --fail-on")

// errInterrupted ends a command that was interrupted, after it wrote the results so far.
var errInterrupted = errors.New("interrupted: what was not read is not listed")

// serviceError ends serve for a reason that may be temporary, such as an address in use.
type serviceError struct{ error }

func (e serviceError) Unwrap() error { return e.error }

// outputError marks err as an error of writing to standard output. It returns nil for nil.
func outputError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("writing to standard output: %w", err)
}

// usageError adds a hint at the help to an error of the command line.
func usageError(cmd *cobra.Command, err error) error {
	return withAdvice(err, fmt.Sprintf("Run '%s --help' for how to use it", cmd.CommandPath()))
}

// errorText returns an error as people see it. The program's name comes first, and also in front of
// each problem of a configuration.
func errorText(err error) string {
	text := programPrefix + printable.Error(err)
	if problems := config.Problems(nil); errors.As(err, &problems) {
		text = strings.ReplaceAll(text, "\n", "\n"+programPrefix)
	}
	return text
}

// programPrefix is in front of the program's own messages on standard error.
const programPrefix = "linkmilter: "

// noArguments refuses arguments. For the root command, the first argument is an unknown command.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return usageError(cmd, fmt.Errorf("command %q: unknown%s", args[0], didYouMean(cmd, args[0])))
	}
	return usageError(cmd, fmt.Errorf("unexpected argument %q", args[0]))
}

// didYouMean names the commands that are written much like name.
func didYouMean(cmd *cobra.Command, name string) string {
	similar := cmd.SuggestionsFor(name)
	if len(similar) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(similar, " or ") + "?"
}

// withFlag adds the flag that is written much like an unknown one.
func withFlag(cmd *cobra.Command, err error) error {
	_, name, unknown := strings.Cut(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	flags := &cobra.Command{SuggestionsMinimumDistance: 2}
	add := func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	similar := flags.SuggestionsFor(name)
	if len(similar) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean --%s?", err, strings.Join(similar, " or --"))
}

// joinLines joins errors, with one line for each, and returns nil if there are none.
func joinLines(errs []error) error {
	const most = 20
	if len(errs) > most {
		errs = append(errs[:most:most], fmt.Errorf("and %d more", len(errs)-most))
	}
	return errors.Join(errs...)
}

// errorLines returns the lines of [joinLines] for people.
func errorLines(errs []error) []string {
	if len(errs) == 0 {
		return nil
	}
	return strings.Split(printable.Error(joinLines(errs)), "\n")
}

// withAdvice adds a line of advice to an error.
func withAdvice(err error, advice string) error { return errors.Join(err, errors.New(advice)) }

// advice returns what the user can do about an error of the operating system, or "" if the error
// needs no advice.
func advice(err error) string {
	var listen *net.OpError
	if errors.As(err, &listen) && listen.Op == "listen" {
		return listenAdvice(listen)
	}
	switch {
	case errors.Is(err, syscall.EISDIR):
		return "Name a file, not a folder"
	case errors.Is(err, fs.ErrPermission):
		return "The account that runs linkmilter has no right to that; 'ls -l' shows who has"
	}
	return ""
}

func listenAdvice(err *net.OpError) string {
	unix := err.Net == "unix"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "Another program listens there ('ss -lntp' names it): stop it, or choose another address"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "No network interface of this machine has that address ('ip address' shows those it has)"
	case errors.Is(err, syscall.ENOENT) && unix:
		return "Make the folder for the socket first, and give it to the account that runs linkmilter"
	case errors.Is(err, fs.ErrPermission) && unix:
		return "The account that runs linkmilter needs the right to write to the socket's folder"
	case errors.Is(err, fs.ErrPermission):
		return "Ports below 1024 are for root: choose a higher one"
	}
	return ""
}
