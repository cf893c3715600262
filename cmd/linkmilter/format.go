package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/engine"
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

// formatLines writes form(line) for each line of in. A line that is not a URL is an error that
// names it; the lines after it are still printed. The bad line is printed unchanged, so that each
// line of input has one of output.
func formatLines(in io.Reader, out io.Writer, form func(string) (string, error)) error {
	w := bufio.NewWriter(out)
	shown := echo(out)
	var bad badLines
	number, begun := 1, false // begun says that a part of the line was written
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
			text = strings.Trim(text, " \t\r\n\v\f") // white space inside the line stays
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

// maxLinePart is the length in bytes of the longest line that is read at once, to bound memory.
const maxLinePart = 1 << 20

// A linePart is a line without its line end. A line that is too long comes in several parts.
type linePart struct {
	text   string
	goesOn bool // the next part is of the same line
}

// lineParts yields the lines of r without a byte order mark, and last an error if reading
// failed. A final line without a line end counts as a line.
func lineParts(r io.Reader) iter.Seq2[linePart, error] {
	return func(yield func(linePart, error) bool) {
		r, _, err := withoutBOM(r)
		if err != nil {
			yield(linePart{}, err)
			return
		}
		br := bufio.NewReaderSize(r, 64<<10)
		for goesOn := false; ; {
			part, err := readPart(br)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(linePart{}, err)
				return
			}
			atEnd := err != nil
			if atEnd && part.text == "" && !goesOn {
				return
			}
			if goesOn = part.goesOn && !atEnd; !yield(linePart{part.text, goesOn}, nil) || atEnd {
				return
			}
		}
	}
}

// readPart reads to the end of a line, or at least maxLinePart bytes of it.
func readPart(br *bufio.Reader) (linePart, error) {
	var b strings.Builder
	for {
		piece, err := br.ReadSlice('\n')
		b.Write(piece)
		switch {
		case err == nil:
			return linePart{text: strings.TrimSuffix(b.String(), "\n")}, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return linePart{text: b.String(), goesOn: true}, err
		case b.Len() > maxLinePart:
			return linePart{text: b.String(), goesOn: true}, nil
		}
	}
}

// badLines collects the errors of lines in bounded memory, however many or long the lines are.
type badLines struct {
	first []error
	more  int
}

// add adds an error of a line of standard input.
func (b *badLines) add(number int, err error) {
	const most = 20
	if len(b.first) == most {
		b.more++
		return
	}
	b.first = append(b.first, fmt.Errorf("standard input, line %d: %s", number, shortened(err.Error())))
}

// err joins the errors, with one line for each, and returns nil if there are none.
func (b *badLines) err() error {
	if b.more > 0 {
		return errors.Join(append(b.first, fmt.Errorf("and %d more", b.more))...)
	}
	return errors.Join(b.first...)
}

// shortened returns a message that quotes a line, cut in the middle if the line is long.
func shortened(message string) string {
	const head, tail = 1000, 300
	if len(message) <= head+tail {
		return message
	}
	from, to := head, len(message)-tail
	for from > 0 && !utf8.RuneStart(message[from]) {
		from--
	}
	for to < len(message) && !utf8.RuneStart(message[to]) {
		to++
	}
	return message[:from] + "…" + message[to:]
}
