package printable

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

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

// JSON returns JSON in which escapes (RFC 8259 §7) replace what [Text] replaces,
// but for line ends: its meaning is the same.
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
