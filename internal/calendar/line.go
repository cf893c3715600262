package calendar

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// A line is a logical line of the source: a property.
type line struct {
	text       string // the line without the line breaks of folding
	unfolded   string // the same, if "=" before white space is not read as a soft line break; "" if there is no such place
	broken     bool   // the line was folded
	start, end int    // its range in the source
}

// checkEvery is the number of bytes of the source after which the context is checked.
const checkEvery = 64 << 10

// A cutter divides a source into logical lines.
type cutter struct {
	ctx     context.Context
	source  string
	checked int // offset of the last check of the context
	err     error
}

// check checks the context if checkEvery bytes were read since the last check.
func (c *cutter) check(pos int) {
	if pos-c.checked >= checkEvery {
		c.checked, c.err = pos, c.ctx.Err()
	}
}

// cut returns the logical line of the source that begins at an offset. The following lines belong
// to it if they begin with white space, follow a soft line break of quoted-printable, or go on with
// base64 that is not folded.
func (c *cutter) cut(start int) line {
	source := c.source
	l := line{start: start}
	end := physicalEnd(source, start)
	content := trimLineEnd(source[start:end])
	l.text = content
	encoding := encodingOf(content)
	for end < len(source) {
		if c.check(end); c.err != nil {
			return l
		}
		next := physicalEnd(source, end)
		before := content
		content = trimLineEnd(source[end:next])
		folded := isFolded(content)
		soft := encoding == quotedPrintable && strings.HasSuffix(before, "=")
		digits := encoding == base64Value && content != "" && !strings.Contains(content, ":")
		if !folded && !soft && !digits {
			break
		}
		end, l.broken = next, true
	}
	l.end = end
	l.join(source, encoding)
	return l
}

// join sets the text of a line that was folded.
func (l *line) join(source string, encoding encoding) {
	if !l.broken {
		return
	}
	var b, unfolded strings.Builder
	b.Grow(l.end - l.start)
	mayDiffer := false
	for pos := l.start; pos < l.end; {
		next := physicalEnd(source, pos)
		content := trimLineEnd(source[pos:next])
		if pos > l.start && isFolded(content) {
			content = content[1:]
		}
		if encoding == quotedPrintable && next < l.end {
			joined := strings.TrimSuffix(content, "=")
			if len(joined) < len(content) && isFolded(source[next:]) {
				if !mayDiffer {
					unfolded.WriteString(b.String())
				}
				mayDiffer = true
			} else {
				content = joined
			}
			b.WriteString(joined)
		} else {
			b.WriteString(content)
		}
		if mayDiffer {
			unfolded.WriteString(content)
		}
		pos = next
	}
	l.text, l.unfolded = b.String(), unfolded.String()
}

// isFolded reports whether a line continues the one before it.
func isFolded(content string) bool {
	return content != "" && (content[0] == ' ' || content[0] == '\t')
}

// WithWholeCharacters returns a UTF-8 source without the line breaks inside characters: writers may
// fold a line there, and readers join the bytes of lines (RFC 5545 §3.1). When t ends, it returns
// what it has.
func WithWholeCharacters(t *meter.Meter, source []byte) []byte {
	if utf8.Valid(source) {
		return source
	}
	var joined []byte
	start := 0
	for pos := 0; ; pos++ {
		i := bytes.IndexByte(source[pos:], '\n')
		if i < 0 || t.Spend(i+1) != nil {
			return append(joined, source[start:]...)
		}
		pos += i
		before, after := bytes.TrimSuffix(source[start:pos], []byte("\r")), source[pos+1:]
		if isWithinCharacter(before, after) {
			joined, start = append(joined, before...), pos+2
		}
	}
}

// isWithinCharacter reports whether a line break is between the bytes of a character.
func isWithinCharacter(before, after []byte) bool {
	return len(before) > 0 && before[len(before)-1] >= utf8.RuneSelf &&
		len(after) > 1 && (after[0] == ' ' || after[0] == '\t') && !utf8.RuneStart(after[1])
}

// physicalEnd returns the offset after the line end that follows an offset. Programs also end
// lines at a CR alone.
func physicalEnd(source string, from int) int {
	i := strings.IndexAny(source[from:], "\r\n")
	if i < 0 {
		return len(source)
	}
	end := from + i
	for end < len(source) && source[end] == '\r' {
		end++
	}
	if end < len(source) && source[end] == '\n' {
		end++
	}
	return end
}

func trimLineEnd(s string) string { return strings.TrimRight(s, "\r\n") }

// An encoding is the transfer encoding of a value.
type encoding uint8

const (
	noEncoding encoding = iota
	quotedPrintable
	base64Value
)

// encodingOf returns the encoding of the value of a line, as its parameters say. vCard 2.1 and
// vCalendar 1.0 write this parameter without a name.
func encodingOf(text string) encoding {
	head := beforeEncoding.Replace(strings.ToUpper(text[:max(colonOf(text), 0)])) + ";"
	switch {
	case strings.Contains(head, "QUOTED-PRINTABLE"):
		return quotedPrintable
	case strings.Contains(head, "BASE64"), strings.Contains(head, "ENCODING=B;"):
		return base64Value
	}
	return noEncoding
}

// beforeEncoding removes what may surround the name of an encoding.
var beforeEncoding = strings.NewReplacer(`"`, "", " ", "", "\t", "")
