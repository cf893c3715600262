package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/stream"
)

func newExplain() *cobra.Command {
	var asJSON bool
	var file, message string
	cmd := &cobra.Command{
		Use:   "explain [--json] [--config FILE] [--message FILE] [TEXT|-]...",
		Short: "Judge a link, a host or an address, and explain each finding",
		Long: `Judges links, hosts and e-mail addresses, one a line, and explains each finding.
Without TEXT, or for "-", explain reads the lines of standard input. It decodes
Punycode first. With --config it uses the protected domains, the severities, the
allowed hosts and the top-level domains of that configuration.

--message reads a message instead, and explains what it says of its sender: the name
of the sender, the subject, what is in the mail, and each finding about them.

The output for people shows the kind of the line, where it leads, and the findings
with their section of the manual. For each label of the host it shows the A-label,
the scripts and the restriction level of UTS #39. For a suspicious label it adds the
code points with their names, the skeleton, and the names with the same skeleton.
Colours appear on a terminal only, and never with NO_COLOR set.

--json prints one object a line: input, kind, ascii_host, unicode_host, href,
display, display_unicode, findings (each with manual), and hidden_by if a display
rule of browsers hides the host in Unicode; and unseen, what programs read in the line and
people do not see: tag characters, data in selectors or bits, split words. The kinds:
  url      a URL, or a bare host that is a link in running text
  email    an e-mail address
  suspect  not a link by UTS #58, but some programs make a link of it
  host     a name or IP address that is not a link in running text
  text     no link, but a text in which programs read what people do not see
  none     none of these: an error says why, and the exit status is 2`,
		Example: `  linkmilter explain аррӏе.com
  linkmilter explain https://xn--pypal-4ve.com/ info@bücher.example.com
  linkmilter explain --config /etc/linkmilter.toml login.example.com
  linkmilter explain --message suspicious.eml
  linkmilter explain --json < hosts.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if message != "" {
				return explainMessage(cmd, file, message, asJSON, args)
			}
			e, err := newExplainer(file)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			write := newExplanationTable(out, newPaint(cmd.OutOrStdout()), isTerminal(cmd.OutOrStdout())).write
			if asJSON {
				objects := newExplanationJSON(out)
				objects.terminal = isTerminal(cmd.OutOrStdout())
				write = objects.write
			}
			return explainLines(e, argumentLines(args, typedInput(cmd)), out, write)
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "take the configuration from `FILE`")
	cmd.Flags().StringVar(&message, "message", "", "explain the sender of the message in `FILE`; - for standard input")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// newExplainer returns an explainer that judges as serve does with the configuration, or as it does
// without one if the path is empty.
func newExplainer(configuration string) (*explain.Explainer, error) {
	options, err := configuredOptions(configuration)
	if err != nil {
		return nil, err
	}
	judging, err := filter.New(options)
	if err != nil {
		return nil, err
	}
	return explain.New(judging, options.Engine)
}

// argumentLine is a line to explain. place is its place in standard input, for errors, or "" for an
// argument.
type argumentLine struct{ text, place string }

// argumentLines yields the arguments. For "-", or without arguments, it yields the lines of stdin.
// An error is an error of reading.
func argumentLines(args []string, stdin io.Reader) iter.Seq2[argumentLine, error] {
	return func(yield func(argumentLine, error) bool) {
		for _, arg := range orStandardInput(args) {
			if arg != standardInput {
				if !yield(argumentLine{text: arg}, nil) {
					return
				}
				continue
			}
			number := 0
			for line, err := range lines(stdin) {
				number++
				if err != nil {
					err = fmt.Errorf("standard input: %w", err)
				}
				line = strings.TrimSuffix(line, "\r")
				if !yield(argumentLine{line, fmt.Sprintf("standard input, line %d: ", number)}, err) {
					return
				}
			}
		}
	}
}

// explainLines explains each argument, and each line that is not empty. The error names the lines that
// are not a link, host or address; the others are still explained.
func explainLines(e *explain.Explainer, in iter.Seq2[argumentLine, error], out *bufio.Writer, write func(explain.Explanation) error) error {
	var bad []error
	for line, err := range in {
		if err != nil {
			return errors.Join(joinLines(bad), err, out.Flush())
		}
		if strings.TrimSpace(line.text) == "" {
			if line.place == "" {
				bad = append(bad, fmt.Errorf("text %q: empty (want a link, a host, an address, or - for standard input)", line.text))
			}
			continue
		}
		x, err := e.Explain(line.text)
		if err != nil {
			bad = append(bad, fmt.Errorf("%s%w", line.place, err))
		}
		if err := write(x); err != nil {
			return outputError(err)
		}
	}
	if err := out.Flush(); err != nil {
		return outputError(err)
	}
	return joinLines(bad)
}

// explanationJSON writes explanations for machines.
type explanationJSON struct{ jsonWriter }

func newExplanationJSON(w *bufio.Writer) explanationJSON { return explanationJSON{newJSONWriter(w)} }

func (w explanationJSON) write(x explain.Explanation) error { return w.encode(x.Record()) }

// lines yields each line of r without its line end, of any length, and last an error if
// reading failed. It leaves out a byte order mark before the first line. A final line
// without a line end counts as a line.
func lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		br := bufio.NewReaderSize(r, 64<<10)
		for isFirst := true; ; isFirst = false {
			line, err := br.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield("", err)
				return
			}
			if line == "" {
				return
			}
			if isFirst {
				line, _ = stream.CutBOM(line)
			}
			if !yield(strings.TrimSuffix(line, "\n"), nil) || err != nil {
				return
			}
		}
	}
}
