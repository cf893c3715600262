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

// rebase returns the edit that makes a base64 body encode data. It keeps the white space
// around the digits and the width of the lines, so that lines before the first change stay.
func (m *Message) rebase(leaf *Part, data []byte) Edit {
	body := m.Body(leaf)
	start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	end := len(bytes.TrimRight(body, " \t\r\n"))
	return Edit{leaf.bodyStart + start, leaf.bodyStart + max(start, end), m.base64Body(data, widthOf(body[start:]))}
}

// widthOf returns the length of the lines of a base64 body, as the first line tells.
func widthOf(body []byte) int {
	n := len(trimLineEnd(body[:lineEnd(body, 0)]))
	if n == 0 || n > longestEncoded || n%4 != 0 {
		return longestEncoded
	}
	return n
}

// requote returns the edits of a quoted-printable body that carry out edits of its decoded data. Lines
// without an edit stay unchanged. Lines joined by soft line breaks count as one.
func (m *Message) requote(leaf *Part, data []byte, edits []Edit) []Edit {
	var result []Edit
	lines := quotedLines{body: m.Body(leaf)}
	for len(edits) > 0 {
		for lines.plain.End <= edits[0].Start && lines.next() {
		}
		raw, plain := lines.raw, lines.plain
		pos := plain.Start
		var pieces [][]byte
		for len(edits) > 0 && edits[0].Start < plain.End {
			pieces = append(pieces, data[pos:edits[0].Start], edits[0].New)
			pos = edits[0].End
			edits = edits[1:]
			for plain.End-lines.ending < pos && lines.next() {
				raw.End, plain.End = lines.raw.End, lines.plain.End
			}
		}
		pieces = append(pieces, data[pos:max(pos, plain.End-lines.ending)])
		q := &quotedPrintable{eol: m.eol()}
		q.add(slices.Concat(pieces...), true)
		result = append(result, Edit{leaf.bodyStart + raw.Start, leaf.bodyStart + raw.End, q.dst})
	}
	return result
}

// quotedLines iterates over the decoded lines of a quoted-printable body.
type quotedLines struct {
	body   []byte
	raw    Edit // the line in body, without its line end
	plain  Edit // the line in the decoded body, with its line end
	ending int  // bytes in its line end
	pos    int
}

// next goes to the next line and reports whether there is one.
func (l *quotedLines) next() bool {
	if l.pos == len(l.body) {
		return false
	}
	l.raw.Start, l.plain.Start = l.pos, l.plain.End
	for soft := true; soft && l.pos < len(l.body); {
		line, rest := cutQuotedLine(l.body[l.pos:])
		l.raw.End = l.pos + len(l.body[l.pos:]) - len(rest) - len(line.ending)
		l.pos = len(l.body) - len(rest)
		l.plain.End += decodedLength(line.content)
		soft = line.soft
		if l.ending = len(line.ending); soft {
			// The last line of a body may end in a soft break, which must not
			// become a line end.
			l.raw.End, l.ending = l.pos, 0
			continue
		}
		l.plain.End += l.ending
	}
	return true
}

// decodedLength returns how many bytes a line of valid quoted-printable encodes.
func decodedLength(line []byte) int { return len(line) - 2*bytes.Count(line, []byte("=")) }
