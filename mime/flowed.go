package mime

import "strings"

// Unflowed returns the text with the soft line breaks of RFC 3676 removed: one
// line for each paragraph. Without format=flowed that is Content itself.
//
// Quote marks stay at the start of the line, followed by one space unless the
// line is empty; space-stuffing is removed except where the line would then
// begin with a quote mark that is none (§4.4). With DelSp the space of a soft
// break goes too (§4.1). A signature separator is never joined (§4.3), nor are
// lines of different quote depth (§4.5).
func (t Text) Unflowed() string {
	if !t.Flowed {
		return t.Content
	}
	var b strings.Builder
	b.Grow(len(t.Content))
	t.unflow(&b, nil)
	return b.String()
}

// unflow writes the text without its soft line breaks and passes the place of each
// piece of a line, in the result and in Content, to placed, which may be nil.
func (t Text) unflow(b *strings.Builder, placed func(piece)) {
	open := false // the line written last ends in a soft break
	depth := 0    // its quote depth
	ending := ""  // its line end, not written yet
	next := 0     // where the next line begins
	for line := range strings.Lines(t.Content) {
		start := next
		next += len(line)
		content := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		l := parseFlowed(content)
		if !open || l.depth != depth || l.separator() {
			b.WriteString(ending)
			l.writeStart(b)
		}
		text := l.text(t.delSp)
		if placed != nil && text != "" {
			placed(piece{unflowed: b.Len(), content: start + len(content) - len(l.content), length: len(text)})
		}
		b.WriteString(text)
		open, depth, ending = l.soft(), l.depth, line[len(content):]
	}
	b.WriteString(ending)
}

// A piece says where a part of a line stands in the unflowed text and where in
// Content, in bytes.
type piece struct{ unflowed, content, length int }

// A flowedLine is one line of flowed text without its line end.
type flowedLine struct {
	depth   int    // number of quote marks
	content string // behind the quote marks, unstuffed
}

func parseFlowed(line string) flowedLine {
	content := strings.TrimLeft(line, ">")
	l := flowedLine{depth: len(line) - len(content)}
	l.content = strings.TrimPrefix(content, " ")
	return l
}

func (l flowedLine) separator() bool { return l.content == "-- " }

// soft reports whether the line ends in a soft break (RFC 3676 §4.2).
func (l flowedLine) soft() bool {
	return strings.HasSuffix(l.content, " ") && !l.separator()
}

// text returns the line as it stands in its paragraph.
func (l flowedLine) text(delSp bool) string {
	if delSp && l.soft() {
		return l.content[:len(l.content)-1]
	}
	return l.content
}

// writeStart writes what stands before the first line of a paragraph.
func (l flowedLine) writeStart(b *strings.Builder) {
	for range l.depth {
		b.WriteByte('>')
	}
	if l.depth > 0 && l.content != "" || strings.HasPrefix(l.content, ">") {
		b.WriteByte(' ')
	}
}
