package mime

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// A rewrittenBody is a body whose text was replaced in part.
type rewrittenBody struct {
	edits    []Edit // of Raw
	charset  string
	encoding string
	digest   uint64 // of the text as it will be decoded
}

// rewriteBody returns the edits of the body of leaf that make its text what it is
// after edits of text.Content. recoded says that another encoding takes the place of
// 8bit.
func (m *Message) rewriteBody(leaf *Part, text Text, edits []TextEdit, recoded bool) (rewrittenBody, error) {
	octets, err := m.Content(leaf)
	if err != nil {
		return rewrittenBody{}, refused(reasonOf(err), "%v", err)
	}
	b := rewrittenBody{charset: text.Charset, encoding: leaf.Encoding}
	if recoded {
		b.encoding = "" // chosen by recode
	}
	changes, held := encodeEdits(text, octets, edits)
	if !held || !ascii(changes) && text.Charset == "us-ascii" {
		b.charset = "utf-8"
	}
	if !held {
		err = b.recode(m, leaf, []byte(spliced(text.Content, edits)))
	} else {
		err = b.change(m, leaf, octets, changes)
	}
	if err != nil {
		return b, err
	}
	if b.encoding != leaf.Encoding && b.encoding == "base64" && m.LineEnd() == "\n" {
		b.digest = digestOf(withCRLF(spliced(text.Content, edits)))
	} else {
		b.digest = digestOf(text.Content, edits...)
	}
	b.edits = joined(b.edits)
	for i := range b.edits {
		b.edits[i] = m.trimmed(b.edits[i])
	}
	b.edits = slices.DeleteFunc(b.edits, func(e Edit) bool { return e.Start == e.End && len(e.New) == 0 })
	return b, nil
}

// change plans changes of octets, which the body encodes in a charset that stays.
func (b *rewrittenBody) change(m *Message, leaf *Part, octets []byte, changes []Edit) error {
	switch {
	case leaf.Encoding == "quoted-printable":
		b.edits = m.requote(leaf, octets, changes)
	case leaf.Encoding == "base64", leaf.Encoding == "7bit" && !ascii(changes), b.encoding == "":
		return b.recode(m, leaf, splicedOctets(octets, changes))
	case !fits(octets, changes):
		return refused(ReasonLineTooLong, "in part %s", leaf.Number)
	default:
		for _, e := range changes {
			b.edits = append(b.edits, Edit{leaf.BodyStart + e.Start, leaf.BodyStart + e.End, e.New})
		}
	}
	return nil
}

// recode plans to encode the whole body again.
func (b *rewrittenBody) recode(m *Message, leaf *Part, octets []byte) error {
	var edit Edit
	switch b.encoding {
	case "base64":
		edit = m.rebase(leaf, octets)
	case "quoted-printable":
		edit = Edit{leaf.BodyStart, leaf.End, m.quoteLines(octets)}
	case "8bit":
		edit = Edit{leaf.BodyStart, leaf.End, octets}
		if longest(octets) > max(longestLine, longest(m.body(leaf))) {
			return refused(ReasonLineTooLong, "in part %s", leaf.Number)
		}
	default:
		edit, b.encoding = m.encodeBody(leaf, octets)
	}
	b.edits = []Edit{edit}
	return nil
}

// joined returns edits with those that touch made one.
func joined(edits []Edit) []Edit {
	var result []Edit
	for _, e := range edits {
		if n := len(result); n > 0 && result[n-1].End == e.Start {
			result[n-1].End = e.End
			result[n-1].New = slices.Concat(result[n-1].New, e.New)
		} else {
			result = append(result, e)
		}
	}
	return result
}

// withCRLF returns text with CRLF line ends.
func withCRLF(text string) string { return strings.ReplaceAll(normalised(text), "\n", "\r\n") }

// trimmed returns an edit without what it replaces by the same.
func (m *Message) trimmed(e Edit) Edit {
	for e.Start < e.End && len(e.New) > 0 && m.Raw[e.Start] == e.New[0] {
		e.Start++
		e.New = e.New[1:]
	}
	for e.Start < e.End && len(e.New) > 0 && m.Raw[e.End-1] == e.New[len(e.New)-1] {
		e.End--
		e.New = e.New[:len(e.New)-1]
	}
	return e
}

// splicedOctets returns octets after edits of them.
func splicedOctets(octets []byte, edits []Edit) []byte {
	pieces := make([][]byte, 0, 2*len(edits)+1)
	pos := 0
	for _, e := range edits {
		pieces = append(pieces, octets[pos:e.Start], e.New)
		pos = e.End
	}
	return slices.Concat(append(pieces, octets[pos:])...)
}

// isASCII reports whether there is no octet above 127.
func isASCII(octets []byte) bool {
	return !slices.ContainsFunc(octets, func(c byte) bool { return c > 0x7f })
}

// ascii reports whether what edits write is ASCII.
func ascii(edits []Edit) bool {
	return !slices.ContainsFunc(edits, func(e Edit) bool {
		return slices.ContainsFunc(e.New, func(c byte) bool { return c > 0x7f })
	})
}

// encodeEdits returns edits of a text as edits of the octets that it was decoded
// from, or false where its charset cannot hold what is new. Text in US-ASCII
// becomes UTF-8 where it has to.
func encodeEdits(text Text, octets []byte, edits []TextEdit) ([]Edit, bool) {
	changes := make([]Edit, 0, len(edits))
	switch text.Charset {
	case "us-ascii", "utf-8":
		for _, e := range edits {
			changes = append(changes, Edit{e.Start, e.End, []byte(e.New)})
		}
		return changes, true
	case "utf-16", "utf-16le", "utf-16be":
		encoded, ok := encodeUTF16(octets, spliced(text.Content, edits))
		return append(changes, Edit{0, len(octets), encoded}), ok
	}
	enc := lookup(text.Charset)
	if _, single := enc.(*charmap.Charmap); !single {
		return encodeLines(enc, text.Content, octets, edits)
	}
	offset, pos := 0, 0 // an octet is a character
	for _, e := range edits {
		encoded, ok := encodeLossless(e.New, enc)
		if !ok {
			return nil, false
		}
		start := offset + utf8.RuneCountInString(text.Content[pos:e.Start])
		offset = start + utf8.RuneCountInString(text.Content[e.Start:e.End])
		pos = e.End
		changes = append(changes, Edit{start, offset, encoded})
	}
	return changes, true
}

// encodeLines is encodeEdits for charsets in which a character has several octets,
// or is shifted to: lines that change are encoded again. In all of them an LF is
// never part of another character, and the state at the start of a line is that of
// the start of a text (RFC 1468); where it is not, the text decodes to another one,
// which Verify sees.
func encodeLines(enc encoding.Encoding, text string, octets []byte, edits []TextEdit) ([]Edit, bool) {
	var changes []Edit
	offset, pos := 0, 0 // of a line, in octets and in the text
	next := func() {
		offset = lineEnd(octets, offset)
		pos = textLineEnd(text, pos)
	}
	for len(edits) > 0 {
		for textLineEnd(text, pos) <= edits[0].Start {
			next()
		}
		start, first := offset, pos
		next()
		var inside []TextEdit // of this line, and of those that an edit joins to it
		for ; len(edits) > 0 && edits[0].Start < pos; edits = edits[1:] {
			e := edits[0]
			inside = append(inside, TextEdit{e.Start - first, e.End - first, e.New})
			for pos < e.End {
				next()
			}
		}
		encoded, ok := encodeLossless(spliced(text[first:pos], inside), enc)
		if !ok {
			return nil, false
		}
		// The line end was encoded to leave the shifted state; it stays.
		ending := offset - trimLineEndAt(octets, offset)
		changes = append(changes, Edit{start, offset - ending, encoded[:len(encoded)-ending]})
	}
	return changes, true
}

// textLineEnd returns the offset behind the line that begins at pos.
func textLineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(text)
}

// longest returns the length of the longest line, without its line end.
func longest(octets []byte) int {
	n := 0
	for line := range bytes.Lines(octets) {
		n = max(n, len(trimLineEnd(line)))
	}
	return n
}

// fits reports whether lines that are not encoded stay within the limit of RFC
// 5322 §2.1.1, or become no longer than they were.
func fits(octets []byte, edits []Edit) bool {
	for len(edits) > 0 {
		start := bytes.LastIndexByte(octets[:edits[0].Start], '\n') + 1
		end := lineEnd(octets, edits[0].Start)
		growth := 0
		for ; len(edits) > 0 && edits[0].Start < end; edits = edits[1:] {
			e := edits[0]
			growth += len(e.New) - (e.End - e.Start)
			for end < e.End {
				end = lineEnd(octets, end)
			}
		}
		if trimLineEndAt(octets, end)-start+growth > max(longestLine, longest(octets[start:end])) {
			return false
		}
	}
	return true
}

// encodeBody returns the edit that makes a body in 7bit one in quoted-printable or
// base64, whichever is shorter on the wire.
func (m *Message) encodeBody(leaf *Part, octets []byte) (Edit, string) {
	quoted := m.quoteLines(octets)
	wire := len(quoted) // with CRLF
	if m.LineEnd() == "\n" {
		wire += bytes.Count(quoted, newline)
		octets = []byte(withCRLF(string(octets))) // RFC 2045 §6.8
	}
	if wire <= base64Size(len(octets)) {
		return Edit{leaf.BodyStart, leaf.End, quoted}, "quoted-printable"
	}
	encoded := m.base64Body(octets)
	if leaf == m.Root {
		encoded = append(encoded, m.LineEnd()...) // MTAs end a message in a line end
	}
	return Edit{leaf.BodyStart, leaf.End, encoded}, "base64"
}

// base64Body returns octets in base64.
func (m *Message) base64Body(octets []byte) []byte {
	b := &base64Lines{eol: m.LineEnd()}
	b.dst = make([]byte, 0, base64Size(len(octets))+len(b.eol))
	b.octets(octets)
	b.flush()
	return b.dst
}

// quoteLines returns octets in quoted-printable. Lines keep their ends.
func (m *Message) quoteLines(octets []byte) []byte {
	q := &quotedPrintable{eol: m.LineEnd()}
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
		q := &quotedPrintable{eol: m.LineEnd()}
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
