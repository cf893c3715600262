package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choices matches the words that the help of a flag lists behind a colon.
var choices = regexp.MustCompile(`: ([a-z]+(?:, [a-z]+)* or [a-z]+)`)

// completeFlags lets shells complete the values of flags: words that the help lists, and
// configuration files.
func completeFlags(cmd *cobra.Command) {
	add := func(f *pflag.Flag) {
		if f.Name == "config" {
			_ = cmd.MarkFlagFilename(f.Name, "toml") // the flag exists
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
