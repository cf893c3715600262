package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/spf13/cobra"
)

func newFormat() *cobra.Command {
	var ascii bool
	cmd := &cobra.Command{
		Use:   "format [--ascii]",
		Short: "Print URLs in their readable, minimally escaped form",
		Long: `Reads one URL a line from standard input and prints each in its minimally
escaped form (UTS #58 §4.1). A character stays percent-encoded only if decoding it
would change the URL or cut it short in running text. With --ascii it prints the
form for an href attribute instead, as a browser would write it. Empty lines stay
empty.`,
		Example: `  echo 'https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC' | linkmilter format
  echo 'https://bücher.example/größe' | linkmilter format --ascii`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			form := engine.Format
			if ascii {
				form = engine.FormatASCII
			}
			return formatLines(typedInput(cmd), cmd.OutOrStdout(), form)
		},
	}
	cmd.Flags().BoolVar(&ascii, "ascii", false, "print the ASCII form for an href attribute")
	return cmd
}

// formatLines writes form(line) for each line of in. A line that is not a URL is
// an error that names it; the lines after it are still printed, and its own
// line stays as it came so that input and output pair up.
func formatLines(in io.Reader, out io.Writer, form func(string) (string, error)) error {
	w := bufio.NewWriter(out)
	shown := echo(out)
	var bad badLines
	number, begun := 1, false // begun: a part of the line is written
	for line, err := range lineParts(in) {
		if err != nil {
			return errors.Join(fmt.Errorf("standard input: %w", err), w.Flush())
		}
		text := line.text
		switch {
		case begun || line.goesOn:
			if begun = line.goesOn; !begun {
				bad.add(number, fmt.Errorf("longer than %d bytes", maxLinePart))
			}
		default:
			text = strings.Trim(text, " \t\r\n\v\f") // other white space is a part of the line
			if formatted, err := form(text); err == nil {
				text = formatted
			} else if text != "" {
				bad.add(number, err)
			}
		}
		if text = shown(text); !line.goesOn {
			text += "\n"
			number++
		}
		if _, err := w.WriteString(text); err != nil {
			return outputError(err)
		}
	}
	if err := w.Flush(); err != nil {
		return outputError(err)
	}
	return bad.err()
}
