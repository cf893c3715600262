package mime

import (
	"bytes"
	"slices"
)

// encodeBody returns the edit that makes a body in 7bit one in quoted-printable or
// base64, whichever is shorter on the wire.
func (m *Message) encodeBody(leaf *Part, octets []byte) (Edit, string) {
	quoted := m.quoteLines(octets)
	wire := len(quoted) // with CRLF
	if m.eol() == "\n" {
		wire += bytes.Count(quoted, newline)
		octets = []byte(withCRLF(string(octets))) // RFC 2045 §6.8
	}
	if wire <= base64Size(len(octets)) {
		return Edit{leaf.BodyStart, leaf.End, quoted}, "quoted-printable"
	}
	encoded := m.base64Body(octets)
	if leaf == m.Root {
		encoded = append(encoded, m.eol()...) // MTAs end a message in a line end
	}
	return Edit{leaf.BodyStart, leaf.End, encoded}, "base64"
}

// base64Body returns octets in base64.
func (m *Message) base64Body(octets []byte) []byte {
	b := &base64Lines{eol: m.eol()}
	b.dst = make([]byte, 0, base64Size(len(octets))+len(b.eol))
	b.octets(octets)
	b.flush()
	return b.dst
}

// quoteLines returns octets in quoted-printable. Lines keep their ends.
func (m *Message) quoteLines(octets []byte) []byte {
	q := &quotedPrintable{eol: m.eol()}
	q.dst = make([]byte, 0, len(octets)+len(octets)/16) // what is rewritten has little to encode
	for line := range bytes.Lines(octets) {
		content := trimLineEnd(line)
		q.octets(content, true)
		q.dst = append(q.dst, line[len(content):]...)
		q.used = 0
	}
	return q.dst
}

// rebase returns the edit that makes a body in base64 encode other octets. White
// space around it stays.
func (m *Message) rebase(leaf *Part, octets []byte) Edit {
	body := m.body(leaf)
	start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	end := len(bytes.TrimRight(body, " \t\r\n"))
	return Edit{leaf.BodyStart + start, leaf.BodyStart + max(start, end), m.base64Body(octets)}
}

// requote returns the edits that make a body in quoted-printable encode its octets
// after edits. Lines, as far as soft line breaks reach, in which there is no edit
// stay as they are.
func (m *Message) requote(leaf *Part, octets []byte, edits []Edit) []Edit {
	var result []Edit
	lines := quotedLines{body: m.body(leaf)}
	for len(edits) > 0 {
		for lines.octets.End <= edits[0].Start && lines.next() {
		}
		raw, plain := lines.raw, lines.octets
		pos := plain.Start
		var pieces [][]byte
		for len(edits) > 0 && edits[0].Start < plain.End {
			pieces = append(pieces, octets[pos:edits[0].Start], edits[0].New)
			pos = edits[0].End
			edits = edits[1:]
			for plain.End-lines.ending < pos && lines.next() {
				raw.End, plain.End = lines.raw.End, lines.octets.End
			}
		}
		pieces = append(pieces, octets[pos:max(pos, plain.End-lines.ending)])
		q := &quotedPrintable{eol: m.eol()}
		q.octets(slices.Concat(pieces...), true)
		result = append(result, Edit{leaf.BodyStart + raw.Start, leaf.BodyStart + raw.End, q.dst})
	}
	return result
}

// quotedLines iterates over a body in quoted-printable by the lines that it
// encodes.
type quotedLines struct {
	body   []byte
	raw    Edit // where the line stands in body, without its line end
	octets Edit // where it stands in what body encodes, with its line end
	ending int  // octets in its line end
	pos    int
}

// next goes to the next line and reports whether there is one.
func (l *quotedLines) next() bool {
	if l.pos == len(l.body) {
		return false
	}
	l.raw.Start, l.octets.Start = l.pos, l.octets.End
	for soft := true; soft && l.pos < len(l.body); {
		line, rest := cutQuotedLine(l.body[l.pos:])
		l.raw.End = l.pos + len(l.body[l.pos:]) - len(rest) - len(line.ending)
		l.pos = len(l.body) - len(rest)
		l.octets.End += decodedLength(line.content)
		soft = line.soft
		if l.ending = len(line.ending); soft {
			// The last line of a body may end in a soft break, which must not
			// become a line end.
			l.raw.End, l.ending = l.pos, 0
			continue
		}
		l.octets.End += l.ending
	}
	return true
}

// decodedLength returns how many octets a line of valid quoted-printable encodes.
func decodedLength(line []byte) int { return len(line) - 2*bytes.Count(line, []byte("=")) }
