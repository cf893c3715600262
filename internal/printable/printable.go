// Package printable makes text that came from a message safe to show on a terminal or in a log: it
// cannot move the cursor, reorder the text around it, or hide. It also writes cells of CSV, and
// numbers.
package printable

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Text returns s with every code point that is not plainly visible written as \u{HEX}: controls,
// line and paragraph separators, bidi controls and other format characters, unassigned and
// private-use code points. ZWJ and ZWNJ, which many scripts need to spell words, stay. Bytes that
// are not UTF-8 are written as \x{HEX}. A text without such characters comes back unchanged.
func Text(s string) string {
	for i, r := range s {
		if !visible(r) || r == utf8.RuneError {
			return escape(s, i)
		}
	}
	return s
}

// escape does the work of Text from byte offset start on.
func escape(s string, start int) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:start])
	for i := start; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x{`)
			b.WriteByte(ascii.UpperHex[s[i]>>4])
			b.WriteByte(ascii.UpperHex[s[i]&15])
			b.WriteByte('}')
		case visible(r):
			b.WriteRune(r)
		default:
			b.WriteString(`\u{`)
			for shift := 20; shift >= 0; shift -= 4 {
				if digit := r >> shift; digit != 0 || shift < 16 {
					b.WriteByte(ascii.UpperHex[digit&15])
				}
			}
			b.WriteByte('}')
		}
		i += size
	}
	return b.String()
}

func visible(r rune) bool {
	const zwnj, zwj = 0x200C, 0x200D
	switch {
	case r < 0x7F:
		return r >= ' '
	case r == zwnj, r == zwj:
		return true
	}
	return unicode.IsPrint(r)
}

// Lines is [Text] for a text of several lines: line ends and tabs stay.
func Lines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text, ended := strings.CutSuffix(line, "\n")
		for i, cell := range strings.Split(strings.TrimSuffix(text, "\r"), "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(Text(cell))
		}
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// JSON returns JSON with the same meaning, in which escapes (RFC 8259 §7) stand for the characters
// that [Text] replaces, except line ends.
func JSON(document string) string {
	var b strings.Builder
	for _, r := range document {
		switch {
		case r == '\n' || visible(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Error returns the text of an error for a terminal, with a line for each of the errors that it
// joins. It escapes control characters, and also line ends inside one of these errors, such as in
// the path of a file.
func Error(err error) string {
	text := err.Error()
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var raw, lines []string
		for _, one := range joined.Unwrap() {
			raw, lines = append(raw, one.Error()), append(lines, Error(one))
		}
		if strings.Join(raw, "\n") == text {
			return strings.Join(lines, "\n")
		}
	}
	if inner := errors.Unwrap(err); inner != nil {
		if context, ok := strings.CutSuffix(text, inner.Error()); ok {
			return Text(context) + Error(inner)
		}
	}
	return Text(text)
}

// Cell returns a value for CSV that no spreadsheet takes for a formula, since a formula could open
// a link or run a program. An apostrophe marks such a value as text.
func Cell(value string) string {
	if value != "" && strings.IndexByte("=+-@\t\r", value[0]) >= 0 {
		return "'" + value
	}
	return value
}

// Number returns a number with its thousands separated by commas.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
