package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/bidi"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/policy"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// echo returns the function that makes text of the input safe for w. For a terminal it escapes
// characters that control terminals; for other outputs it changes nothing.
func echo(w io.Writer) func(string) string {
	if isTerminal(w) {
		return printable.Lines
	}
	return func(text string) string { return text }
}

// paint makes text fit for a terminal. The zero value does not change text.
type paint struct {
	on       bool // colours
	isolates bool // text of messages is isolated, so that it cannot reorder the text around it
}

// newPaint returns a paint with colours for a terminal that has them, unless
// NO_COLOR (no-color.org) is set.
func newPaint(w io.Writer) paint {
	terminal := isTerminal(w)
	return paint{terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", terminal}
}

// The styles: SGR parameters of ECMA-48.
const (
	styleStrong = "1"
	styleDim    = "2"
	styleGood   = "32"
	styleBad    = "31"
	styleAlarm  = "1;31"
	styleWarn   = "33"
	styleHint   = "36"
)

func (p paint) text(style, s string) string {
	if !p.on || style == "" || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// severityStyle returns the colour of a severity.
func severityStyle(s policy.Severity) string {
	switch s {
	case policy.SeverityHigh:
		return styleAlarm
	case policy.SeverityMedium:
		return styleWarn
	case policy.SeverityLow:
		return styleHint
	}
	return styleDim
}

// isolatedLink returns a link whose components are in order on a terminal that implements the bidi
// algorithm.
func isolatedLink(s string) string {
	if in := bidi.Isolated(s); in != s {
		return in
	}
	return isolated(s)
}

// isolated returns text that cannot reorder the text around it on a terminal that implements the
// bidi algorithm (UAX #9, FSI and PDI).
func isolated(s string) string {
	if ascii.Is(s) {
		return s
	}
	return "\u2068" + s + "\u2069"
}

// cell is text in a column and the same text with colours.
type cell struct{ plain, painted string }

// plainCell returns a cell with any text, without colours.
func plainCell(s string) cell {
	s = printable.Text(s)
	return cell{s, s}
}

// cell returns a cell with text of a message or its sender.
func (p paint) cell(s string) cell {
	c := plainCell(s)
	if p.isolates {
		c.painted = isolated(c.plain)
	}
	return c
}

// columns aligns rows of cells, with two spaces between columns. Columns that are empty in every
// row are left out. Each line begins with the indent.
func columns(indent string, rows [][]cell) string {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columnsOf(c.plain))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		last := len(row) - 1 - slices.IndexFunc(reversed(row), func(c cell) bool { return c.plain != "" })
		b.WriteString(indent)
		for i, c := range row[:last+1] {
			if widths[i] == 0 {
				continue
			}
			b.WriteString(c.painted)
			if i < last {
				b.WriteString(strings.Repeat(" ", widths[i]-columnsOf(c.plain)+2))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func reversed(row []cell) []cell {
	row = slices.Clone(row)
	slices.Reverse(row)
	return row
}

// columnsOf returns how many columns of a terminal a text takes: two for wide
// characters of East Asia (UAX #11), none for marks and joiners.
func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// headRow returns the head of a table.
func headRow(p paint, names ...string) []cell {
	var row []cell
	for _, name := range names {
		row = append(row, cell{name, p.text(styleDim, name)})
	}
	return row
}

// numberCell returns a cell with a number, right-aligned to the width of the column's head.
func numberCell(n int, head string) cell {
	return plainCell(fmt.Sprintf("%*s", len(head), printable.Number(n)))
}

// counted returns a number with its noun, in the plural if needed.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return printable.Number(n) + " " + what
}
