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

// TestManualPages: docs/linkmilter.1 has the help of the commands, and docs/linkmilter.toml.5 that
// of the keys of the configuration. To write them again: go test ./cmd/linkmilter -run ManualPage
// -update
func TestManualPages(t *testing.T) {
	for name, page := range map[string]string{"linkmilter.1": manualPage(newRoot()), "linkmilter.toml.5": configurationPage()} {
		path := filepath.Join(env.Root(t), "docs", name)
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
			t.Errorf("%s is stale (-want +got); write it again with -update:\n%s", path, diff)
		}
	}
}

// manualPage returns a page in the man(7) format. Texts are those of the help, with its lines:
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
		flag := func(f *pflag.Flag) {
			value, help := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(strings.TrimSpace("--"+f.Name+" "+value)), roff(help))
		}
		c.LocalFlags().VisitAll(flag)
		c.InheritedFlags().VisitAll(flag)
		if c.Example != "" {
			b.WriteString(".PP\nExamples:\n")
			verbatim(&b, c.Example)
		}
	}
	b.WriteString(".SH SIGNALS\n")
	for _, s := range [][2]string{
		{"SIGHUP", "serve reads the configuration again. After an error it keeps the old one."},
		{"SIGTERM, SIGINT", "serve finishes open messages and stops. A second one ends service.drain, a further one stops at once."},
	} {
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(s[0]), roff(s[1]))
	}
	b.WriteString(".SH FILES\n")
	for _, f := range [][2]string{
		{"/etc/linkmilter.toml", "the configuration of the service"},
		{"/var/lib/linkmilter", "the quarantine and admin.history, if they are configured"},
		{"/var/cache/linkmilter", "the list of top-level domains, if serve fetches it"},
		{"/run/linkmilter", "Unix sockets, if they are configured"},
		{"/usr/share/doc/linkmilter", "the manual, config.example.toml, and files for other programs"},
	} {
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(f[0]), roff(f[1]))
	}
	b.WriteString(".SH SEE ALSO\n.BR linkmilter.toml (5),\nthe manual at https://github.com/linkmilter/linkmilter/tree/main/docs\n")
	return b.String()
}

// configurationPage returns the page about the configuration file.
func configurationPage() string {
	var b strings.Builder
	b.WriteString(".\\\" Made of the keys: go test ./cmd/linkmilter -run ManualPage -update\n")
	b.WriteString(".TH LINKMILTER.TOML 5\n.SH NAME\nlinkmilter.toml \\- configuration of linkmilter\n.SH DESCRIPTION\n")
	b.WriteString(roff("linkmilter serve --config FILE reads a file in TOML, mostly /etc/linkmilter.toml. Each key is shown with its default. Times are written \"5s\" or \"2m\", sizes 9000000 or \"25 MiB\". "+
		"linkmilter check-config FILE reports every problem of a file. SIGHUP makes a running service read it again.") + "\n")
	keys(&b)
	b.WriteString(".SH SEE ALSO\n.BR linkmilter (1)\n")
	return b.String()
}

// keys writes a section for each table.
func keys(b *strings.Builder) {
	for _, table := range config.Tables() {
		fmt.Fprintf(b, ".SH %s\n", roff(cmp.Or(table.Header, "Above the first table")))
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

// roff escapes a line of text for the formatter: nothing in it is a request, and hyphens, quotes
// and carets can be copied.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, "`", "\\(ga").Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
