package alternative

import (
	"iter"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// line is one line of a text, without quote marks and line end: [start, end).
type line struct {
	start, end int
	plain      bool // it is empty, or ASCII words with single spaces
}

// block is a run of neighbouring lines at one quote level: either a paragraph,
// or empty lines.
type block struct {
	kept  []line // its first lines: at least one, and as many as fit
	rest  int    // offset of its other lines
	blank int    // how many empty lines; 0 for a paragraph
	level int
	end   int // offset of the next block

	// Which lines of a paragraph look like rows (see columnar): the first, the last, two neighbours.
	firstRow, lastRow, rows bool
}

// read makes b the block that begins at pos, which is less than len(text).
func (b *block) read(text string, pos int) {
	kept := b.kept[:0]
	*b = block{rest: len(text)}
	for pos < len(text) {
		l, level, next := readLine(text, pos)
		empty := l.start == l.end
		first := len(kept) == 0
		if !first && (level != b.level || empty != (b.blank > 0)) {
			break
		}
		row := l.columnar(text)
		if empty {
			b.blank++
		}
		if first {
			b.level, b.firstRow = level, row
		}
		b.rows = b.rows || row && b.lastRow
		b.lastRow = row
		if len(kept) < cap(kept) {
			kept = append(kept, l)
			b.rest = next
		}
		pos = next
	}
	b.kept, b.end = kept, pos
}

// lines iterates over the lines of the block.
func (b *block) lines(text string) iter.Seq[line] {
	return func(yield func(line) bool) {
		for _, l := range b.kept {
			if !yield(l) {
				return
			}
		}
		for pos := b.rest; pos < b.end; {
			l, _, next := readLine(text, pos)
			if !yield(l) {
				return
			}
			pos = next
		}
	}
}

// firstLine returns the first line of the block.
func (b *block) firstLine(text string) string { return text[b.kept[0].start:b.kept[0].end] }

// readLine returns the line at pos, its quote level, and the offset of the next line.
func readLine(text string, pos int) (l line, level, next int) {
	level, start := quoteMarks(text, pos)
	n := words(text[start:])
	end, next := lineEnd(text, start+n)
	return line{start, end, end == start+n}, level, next
}

// lineEnd returns the end of the line that goes on at pos, and the offset of the next line. The window
// doubles, so that a text with only one kind of line end is not searched to its end for each line.
func lineEnd(text string, pos int) (end, next int) {
	end = len(text)
	if pos < end && (text[pos] == '\r' || text[pos] == '\n') {
		end = pos
	}
	for span := 128; pos < end; span *= 2 {
		window := text[pos:min(pos+span, end)]
		if i := strings.IndexByte(window, '\n'); i >= 0 {
			end, window = pos+i, window[:i]
		}
		if i := strings.IndexByte(window, '\r'); i >= 0 {
			end = pos + i
		}
		pos += len(window)
	}
	switch {
	case end == len(text):
		return end, end
	case strings.HasPrefix(text[end:], "\r\n"):
		return end, end + 2
	}
	return end, end + 1
}

// nextLine returns the first non-empty line at or after pos.
func nextLine(text string, pos int) line {
	for pos < len(text) {
		l, _, next := readLine(text, pos)
		if l.start < l.end {
			return l
		}
		pos = next
	}
	return line{}
}

// columnar reports whether a line looks like a row of a table or of a drawing: it has tabs, three
// spaces in a row, box-drawing characters, or "|" or "+" at both ends.
func (l line) columnar(text string) bool {
	s := text[l.start:l.end]
	if !l.plain {
		s = trimBlanks(s)
		if strings.IndexByte(s, '\t') >= 0 || strings.Contains(s, "   ") || boxes(s) {
			return true
		}
	}
	return len(s) > 1 && (s[0] == '|' || s[0] == '+') && s[len(s)-1] == s[0]
}

// trimBlanks returns s without the spaces and tabs around it.
func trimBlanks(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// boxes reports whether s has a box-drawing character, U+2500 to U+257F.
func boxes(s string) bool {
	return strings.IndexByte(s, '\xe2') >= 0 && (strings.Contains(s, "\xe2\x94") || strings.Contains(s, "\xe2\x95"))
}

// rightToLeft reports whether the first character with a direction is right-to-left; dir="auto" decides
// so.
func rightToLeft(s string) bool {
	for _, r := range s {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.R, bidi.AL:
			return true
		case bidi.L:
			return false
		}
	}
	return false
}
