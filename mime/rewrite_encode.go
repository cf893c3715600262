package mime

import (
	"bytes"
	"slices"
)

// encodeBody returns the edit that encodes a 7bit body in quoted-printable or base64,
// whichever is shorter on the wire.
func (m *Message) encodeBody(leaf *Part, data []byte) (Edit, string) {
	quoted := m.quoteBody(leaf, data)
	wire := len(quoted) // with CRLF
	if m.eol() == "\n" {
		wire += bytes.Count(quoted, newline)
		data = []byte(withCRLF(string(data))) // RFC 2045 §6.8
	}
	if wire <= base64Size(len(data)) {
		return Edit{leaf.bodyStart, leaf.end, quoted}, "quoted-printable"
	}
	encoded := m.base64Body(data, longestEncoded)
	if leaf == m.Root {
		encoded = append(encoded, m.eol()...) // MTAs end a message in a line end
	}
	return Edit{leaf.bodyStart, leaf.end, encoded}, "base64"
}

// quoteBody returns data in quoted-printable as the body of leaf. Line ends on the wire stay as they
// are. In a body that was quoted-printable before, only the line end of the message is on the wire.
// Other line ends were encoded ("=0A"), as some programs do, and are encoded again: servers refuse a
// bare LF or change it, which breaks signatures.
func (m *Message) quoteBody(leaf *Part, data []byte) []byte {
	q := &quotedPrintable{eol: m.eol()}
	q.dst = make([]byte, 0, len(data)+len(data)/16) // rewritten text needs few escapes
	for line := range bytes.Lines(data) {
		if q.used > 0 {
			q.softBreak() // after an encoded line end
		}
		content := trimLineEnd(line)
		ending := line[len(content):]
		if leaf.encoding == "quoted-printable" && string(ending) != q.eol {
			q.add(line, true)
			continue
		}
		q.add(content, true)
		q.dst = append(q.dst, ending...)
		q.used = 0
	}
	if q.used > 0 && bytes.HasSuffix(m.Body(leaf), newline) {
		q.softBreak() // MTAs end a message in a line end
	}
	return q.dst
}

// base64Body returns bytes in base64, in lines of this width.
func (m *Message) base64Body(data []byte, width int) []byte {
	b := &base64Lines{eol: m.eol(), width: width}
	b.dst = make([]byte, 0, base64Size(len(data))+len(b.eol))
	b.add(data)
	b.flush()
	return b.dst
}

// rebaseAll returns the edit that makes a base64 body encode other data. It keeps the white space
// around the digits and the width of the lines.
func (m *Message) rebaseAll(leaf *Part, data []byte) Edit {
	body := m.Body(leaf)
	start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	end := len(bytes.TrimRight(body, " \t\r\n"))
	return Edit{leaf.bodyStart + start, leaf.bodyStart + max(start, end), m.base64Body(data, widthOf(body[start:]))}
}

// rebase returns the edits of a base64 body that carry out edits of its decoded data. Lines stay
// before the first edit, and behind an edit from the first line on whose digits do not change. After
// an edit that adds a number of bytes that three does not divide, all digits change.
func (m *Message) rebase(leaf *Part, data []byte, edits []Edit) []Edit {
	body := m.Body(leaf)
	body = body[:len(bytes.TrimRight(body, " \t\r\n"))]
	start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	width := widthOf(m.Body(leaf)[start:])
	var result []Edit
	line := base64Line{start: start, end: start}
	for len(edits) > 0 {
		for {
			next, ok := line.next(body)
			if !ok || next.data > edits[0].Start {
				break
			}
			line = next
		}
		// The bytes of these lines are data[first.data:until].
		first, growth := line, 0
		var pieces [][]byte
		for pos := first.data; ; {
			next, ok := line.next(body)
			until := next.data
			if !ok {
				next.end, until = len(body), len(data)
			}
			for len(edits) > 0 && (edits[0].Start < until || !ok) {
				e := edits[0]
				pieces = append(pieces, data[pos:e.Start], e.New)
				growth += len(e.New) - (e.End - e.Start)
				pos, edits = e.End, edits[1:]
			}
			line = next
			if pos <= until && (growth%3 == 0 || !ok) {
				pieces = append(pieces, data[pos:until])
				break
			}
		}
		raw := Edit{leaf.bodyStart + first.start, leaf.bodyStart + line.end, m.base64Body(slices.Concat(pieces...), width)}
		if line.end < len(body) && len(raw.New) > 0 {
			raw.End -= line.ending // stays
		}
		result = append(result, raw)
	}
	return result
}

// A base64Line is a place in a base64 body where a line begins and the group of four digits, too.
type base64Line struct {
	start, end int // in the body; end is where the line before it ends, with its line end
	ending     int // bytes in that line end
	data       int // what is decoded of the lines before
}

// next returns the next such place, and false if there is none.
func (l base64Line) next(body []byte) (base64Line, bool) {
	digits := 0
	for pos := l.start; pos < len(body); {
		end := lineEnd(body, pos)
		for _, c := range body[pos:end] {
			if c > ' ' {
				digits++
			}
		}
		if pos = end; digits > 0 && digits%4 == 0 && pos < len(body) {
			ending := pos - trimLineEndAt(body, pos)
			return base64Line{start: pos, end: pos, ending: ending, data: l.data + digits/4*3}, true
		}
	}
	return base64Line{start: len(body), end: len(body)}, false
}

// widthOf returns how long the lines of a base64 body are, as the first one says.
func widthOf(body []byte) int {
	n := len(trimLineEnd(body[:lineEnd(body, 0)]))
	if n == 0 || n > longestEncoded || n%4 != 0 {
		return longestEncoded
	}
	return n
}

// requote returns the edits of a quoted-printable body that carry out edits of its decoded
// data. Lines of the body, which line ends and soft breaks end, stay unless an edit is in them; in
// such a line the bytes beside the edit stay, too.
func (m *Message) requote(leaf *Part, data []byte, edits []Edit) []Edit {
	var result []Edit
	body := m.Body(leaf)
	lines := quotedLines{body: body}
	for len(edits) > 0 {
		for lines.plain.End <= edits[0].Start && lines.next() {
		}
		start, raw := lines.raw.Start, lines.raw.Start
		q := &quotedPrintable{eol: m.eol()}
		for len(edits) > 0 && edits[0].Start < lines.plain.End {
			e := edits[0]
			edits = edits[1:]
			from := lines.rawOf(e.Start)
			q.keep(body[raw:from], false)
			for lines.plain.End-lines.ending < e.End && lines.next() {
			}
			raw = lines.rawOf(e.End)
			q.add(e.New, raw == lines.raw.End && !lines.soft)
		}
		q.keep(body[raw:lines.raw.End], !lines.soft)
		if lines.soft {
			q.dst = append(q.dst, body[lines.raw.End:lines.end]...)
		}
		end := lines.end
		if !lines.soft {
			end = lines.raw.End
			q.endText()
		}
		if !bytes.HasPrefix(body[start:], mboxFrom) {
			q.escapeFrom()
		}
		result = append(result, Edit{leaf.bodyStart + start, leaf.bodyStart + end, q.dst})
	}
	return result
}

// quotedLines iterates over the lines of a valid quoted-printable body.
type quotedLines struct {
	body   []byte
	raw    Edit // the line in body, without white space at its end, its line end or its soft break
	end    int  // of the line with all that
	plain  Edit // the line in the decoded body, with a line end that is no soft break
	ending int  // bytes in that line end
	soft   bool // it ends in a soft break
}

// next goes to the next line and reports whether there is one.
func (l *quotedLines) next() bool {
	if l.end == len(l.body) {
		return false
	}
	line, rest := cutQuotedLine(l.body[l.end:])
	l.raw = Edit{Start: l.end, End: l.end + len(line.content)}
	l.end = len(l.body) - len(rest)
	l.plain = Edit{Start: l.plain.End, End: l.plain.End + decodedLength(line.content)}
	if l.soft, l.ending = line.soft, len(line.ending); l.soft {
		l.ending = 0
	}
	l.plain.End += l.ending
	return true
}

// rawOf returns the offset in the body of a byte of the line, which is not in its line end, or
// the end of the line.
func (l *quotedLines) rawOf(offset int) int {
	pos := l.raw.Start
	for range offset - l.plain.Start {
		if pos == l.raw.End {
			break
		}
		pos++
		if l.body[pos-1] == '=' {
			pos += len("3D")
		}
	}
	return pos
}

// decodedLength returns how many bytes a line of valid quoted-printable encodes.
func decodedLength(line []byte) int { return len(line) - 2*bytes.Count(line, []byte("=")) }
