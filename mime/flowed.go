package mime

import "strings"

// A leafText is the decoded text of a leaf.
type leafText struct {
	content string // UTF-8, line ends as in the part
	charset string // the charset named in Content-Type, in lower case; us-ascii by default
	flowed  bool   // format=flowed (RFC 3676)
	delSp   bool   // delsp=yes; only with flowed
	markup  bool   // HTML, in which characters may be numeric references
}

// readFormat reads the parameters of RFC 3676.
func (t *leafText) readFormat(p *Part) {
	if p.MediaType == "text/plain" {
		t.flowed = strings.EqualFold(p.params.get("format"), "flowed")
		t.delSp = t.flowed && strings.EqualFold(p.params.get("delsp"), "yes")
	}
}

// unflowed returns the text with one line for each paragraph: it removes the soft line
// breaks of RFC 3676. Without format=flowed it returns the content.
//
// Quote marks stay at the start of the line, and one space follows them unless the line is
// empty. unflowed removes space-stuffing, except if the line would then begin with a false
// quote mark (§4.4). With delsp=yes it also removes the space of a soft break (§4.1). It
// does not join a signature separator (§4.3) or lines of different quote depth (§4.5).
func (t leafText) unflowed() string {
	if !t.flowed {
		return t.content
	}
	var b strings.Builder
	b.Grow(len(t.content))
	t.unflow(&b, nil)
	return b.String()
}

// unflow writes the text without its soft line breaks. It calls placed, which may be nil,
// with the place of each piece of a line.
func (t leafText) unflow(b *strings.Builder, placed func(piece)) {
	open := false // the line written last ends in a soft break
	depth := 0    // quote depth of that line
	ending := ""  // line end of that line, not written yet
	next := 0     // where the next line begins
	for line := range strings.Lines(t.content) {
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

// A piece gives the byte offset of a part of a line in the unflowed text and in the content,
// and its length.
type piece struct{ unflowed, content, length int }

// A flowedLine is one line of flowed text without its line end.
type flowedLine struct {
	depth   int    // number of quote marks
	content string // after the quote marks, unstuffed
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

// text returns the line as a part of its paragraph.
func (l flowedLine) text(delSp bool) string {
	if delSp && l.soft() {
		return l.content[:len(l.content)-1]
	}
	return l.content
}

// writeStart writes the quote marks and the space before the first line of a paragraph.
func (l flowedLine) writeStart(b *strings.Builder) {
	for range l.depth {
		b.WriteByte('>')
	}
	if l.depth > 0 && l.content != "" || strings.HasPrefix(l.content, ">") {
		b.WriteByte(' ')
	}
}
