package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

var update = flag.Bool("update", false, "write the manual page again")

// TestManualPage keeps docs/linkmilter.1 what the commands' help and the keys of the
// configuration say. After a
// change of it: go test ./cmd/linkmilter -run ManualPage -update
func TestManualPage(t *testing.T) {
	path := filepath.Join(env.Root(t), "docs", "linkmilter.1")
	page := manualPage(newRoot())
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(page, string(have)); diff != "" {
		t.Errorf("%s differs from the help of the commands (-want +got); write it again with -update:\n%s", path, diff)
	}
}

// manualPage returns a page in the man(7) format. Texts stand as they are in the help:
// they have columns.
func manualPage(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".\\\" Made of the help of the commands: go test ./cmd/linkmilter -run ManualPage -update\n")
	fmt.Fprintf(&b, ".TH LINKMILTER 1\n.SH NAME\nlinkmilter \\- %s\n", roff(root.Short))
	b.WriteString(".SH SYNOPSIS\n")
	commands := leaves(root)
	for _, c := range commands {
		b.WriteString(roff(useLine(c)) + "\n.br\n")
	}
	section(&b, "SH DESCRIPTION", root.Long)
	section(&b, "SH EXAMPLES", root.Example)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands {
		section(&b, "SS "+roff(useLine(c)), c.Long)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value, help := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(strings.TrimSpace("--"+f.Name+" "+value)), roff(help))
		})
		if c.Example != "" {
			b.WriteString(".PP\nExamples:\n")
			verbatim(&b, c.Example)
		}
	}
	configuration(&b)
	b.WriteString(".SH SEE ALSO\nThe manual at https://github.com/linkmilter/linkmilter/tree/main/docs\n")
	return b.String()
}

// configuration writes the section about the configuration file.
func configuration(b *strings.Builder) {
	b.WriteString(".SH CONFIGURATION\n")
	b.WriteString(roff("A file in TOML. Times are written \"5s\" or \"2m\", sizes 9000000 or \"25 MiB\".") + "\n")
	for _, table := range config.Tables() {
		fmt.Fprintf(b, ".SS %s\n", roff(cmp.Or(table.Header, "Above the first table")))
		if table.Help != "" {
			b.WriteString(roff(table.Help) + "\n")
		}
		for _, k := range table.Keys {
			line := k.Name
			if k.Default != "" {
				line += " = " + k.Default
			}
			fmt.Fprintf(b, ".TP\n%s\n%s\n", roff(line), roff(k.Help))
		}
	}
}

// leaves returns the commands that do something, in the order of the help.
func leaves(c *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, sub := range c.Commands() {
		switch {
		case !sub.IsAvailableCommand():
		case sub.HasAvailableSubCommands():
			list = append(list, leaves(sub)...)
		default:
			list = append(list, sub)
		}
	}
	return list
}

// useLine is the command with its parent and what may follow it.
func useLine(c *cobra.Command) string {
	return strings.TrimSuffix(c.UseLine(), " [flags]")
}

// section writes a heading, and a text below it.
func section(b *strings.Builder, heading, text string) {
	b.WriteString("." + heading + "\n")
	if text != "" {
		verbatim(b, text)
	}
}

// verbatim writes a text with its lines and columns.
func verbatim(b *strings.Builder, text string) {
	b.WriteString(".nf\n")
	for line := range strings.Lines(text + "\n") {
		b.WriteString(roff(strings.TrimRight(line, "\n")) + "\n")
	}
	b.WriteString(".fi\n")
}

// roff makes a line of text fit for the formatter: nothing in it is a request, and
// hyphens, quotes and carets can be copied.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, "`", "\\(ga").Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
