package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/printable"
	"golang.org/x/text/width"
)

// cell is text in a column and the same text with colours.
type cell struct{ plain, painted string }

// plainCell is a cell without colours, of any text.
func plainCell(s string) cell {
	s = printable.Text(s)
	return cell{s, s}
}

// cell is a cell with text of a message or of its sender.
func (p paint) cell(s string) cell {
	c := plainCell(s)
	if p.isolates {
		c.painted = isolated(c.plain)
	}
	return c
}

// columns lines rows of cells up, with two spaces between. Columns that are
// empty in every row are left out. Each line begins with the indent.
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

// headRow is the head of a table.
func headRow(p paint, names ...string) []cell {
	var row []cell
	for _, name := range names {
		row = append(row, cell{name, p.text(styleDim, name)})
	}
	return row
}

// numberCell is a number in a column as wide as its head, or wider.
func numberCell(n int, head string) cell {
	return plainCell(fmt.Sprintf("%*s", len(head), printable.Number(n)))
}
