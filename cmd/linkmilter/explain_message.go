package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
)

// A messageExplanation has what a message says about its sender.
type messageExplanation struct {
	From     string            `json:"from"`
	Subject  string            `json:"subject"`
	Findings []explain.Finding `json:"findings"`
}

// explainMessage explains what the message in a file says about its sender.
func explainMessage(cmd *cobra.Command, configuration, name string, asJSON bool, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("text %q: beside --message (want one of them)", args[0])
	}
	options, err := configuredOptions(configuration)
	if err != nil {
		return err
	}
	judging, err := filter.New(options)
	if err != nil {
		return err
	}
	limit := int64(filter.DefaultOptions().Limits.Message)
	raw, err := readMessageFile(cmd, name, limit)
	if err != nil {
		return err
	}
	result := judging.Message(cmd.Context(), envelope.Envelope{Sender: envelope.AnySender, Truncated: int64(len(raw)) == limit}, raw)
	x := messageExplanation{From: result.Report.Header.From, Subject: result.Report.Header.Subject, Findings: []explain.Finding{}}
	for _, f := range result.Report.Findings {
		x.Findings = append(x.Findings, explain.Finding{Finding: f, Manual: explain.ManualOf(f.Code)})
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if asJSON {
		objects := newJSONWriter(out)
		objects.terminal = isTerminal(cmd.OutOrStdout())
		err = objects.encode(x)
	} else {
		_, err = out.WriteString(x.text(newPaint(cmd.OutOrStdout())))
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return outputError(err)
	}
	return nil
}

// readMessageFile reads a message, at most limit bytes.
func readMessageFile(cmd *cobra.Command, name string, limit int64) ([]byte, error) {
	if name == standardInput {
		return io.ReadAll(io.LimitReader(cmd.InOrStdin(), limit))
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit))
}

// text returns the explanation for people.
func (x *messageExplanation) text(p paint) string {
	var b strings.Builder
	b.WriteString(columns("", [][]cell{
		{{"from", p.text(styleDim, "from")}, plainCell(printable.Text(x.From))},
		{{"subject", p.text(styleDim, "subject")}, plainCell(printable.Text(x.Subject))},
	}))
	if len(x.Findings) == 0 {
		return b.String() + "\n  " + p.text(styleGood, "nothing found against its sender") + "; linkmilter scan judges its links\n"
	}
	findings := slices.Clone(x.Findings)
	slices.SortStableFunc(findings, func(a, b explain.Finding) int { return int(b.Severity) - int(a.Severity) })
	for _, f := range findings {
		style := severityStyle(f.Severity)
		b.WriteString("\n  " + p.text(style, f.Severity.String()) + "  " + p.text(style, string(f.Code)) + "\n")
		rows := [][]cell{plainRow("found in", f.Label), plainRow("finding", f.Detail)}
		if c, ok := report.ClaimOf(f.Finding); ok {
			rows = [][]cell{plainRow("found in", f.Label), plainRow("claim", c.Said), plainRow("evidence", c.Evidence)}
			if c.Allow != "" {
				rows = append(rows, plainRow("allow", c.Allow))
			}
		}
		if f.Label == "" {
			rows = rows[1:]
		}
		b.WriteString(columns("    ", rows) + "    " + p.text(styleDim, f.Manual) + "\n")
	}
	return b.String()
}

// plainRow is a row of a name and a text.
func plainRow(name, text string) []cell {
	return []cell{plainCell(name), plainCell(printable.Text(text))}
}
