package mime

import (
	"bytes"
	"strings"
)

// header reads the header of part, which begins at part.Start, and sets Fields
// and BodyStart. A header ends behind its empty line, before a delimiter of an
// open multipart, before a line that is no header line, or with the message.
func (p *parser) header(part *Part) {
	var scan headerScan
	pos := part.Start
	if part.Parent == nil && bytes.HasPrefix(p.raw, []byte("From ")) {
		p.problem(ReasonMboxFrom, 0)
		pos = lineEnd(p.raw, 0)
	}
	for pos < len(p.raw) {
		end := lineEnd(p.raw, pos)
		line := trimLineEnd(p.raw[pos:end])
		if len(line) == 0 && end > pos {
			part.blank = true
			pos = end
			break
		}
		if p.delimits(pos, end) {
			break
		}
		p.headerLeft -= end - pos
		if p.headerLeft < 0 {
			// The rest is only searched for its end.
			p.problem(ReasonHeaderTooLarge, pos)
			pos = end
			continue
		}
		if !p.headerLine(&scan, line, pos, end) {
			p.problem(ReasonMalformedHeader, pos)
			break
		}
		pos = end
	}
	part.BodyStart = pos
	part.Fields = scan.named(p.raw[part.Start:pos], part.Start)
	p.headerOctets(part)
}

// delimits reports whether the line [pos,end) is a delimiter of an open
// multipart: such a line ends a header too.
func (p *parser) delimits(pos, end int) bool {
	if len(p.open) == 0 || !bytes.HasPrefix(p.raw[pos:end], dashes) {
		return false
	}
	_, ok := p.match(pos, end)
	return ok
}

// A headerScan collects fields. Their names become strings when the header has
// been read, so that one string holds them all.
type headerScan struct {
	fields   []Field
	nameEnds []int
}

// headerLine takes one line without its line end and reports whether it can be
// part of a header.
func (p *parser) headerLine(scan *headerScan, line []byte, pos, end int) bool {
	if line[0] == ' ' || line[0] == '\t' {
		if len(scan.fields) == 0 {
			return false
		}
		if len(bytes.Trim(line, " \t")) == 0 {
			p.problem(ReasonBlankHeaderLine, pos)
		}
		scan.fields[len(scan.fields)-1].End = end
		return true
	}
	colon := bytes.IndexByte(line, ':')
	if colon < 0 {
		return false
	}
	// RFC 5322 §4.5 allows white space before the colon in old mail.
	name := bytes.TrimRight(line[:colon], " \t")
	if !validName(name) {
		return false
	}
	if len(name) < colon && decisive(string(name)) {
		p.problem(ReasonSpaceBeforeColon, pos)
	}
	if scan.fields == nil {
		scan.fields = make([]Field, 0, 16)
		scan.nameEnds = make([]int, 0, 16)
	}
	scan.fields = append(scan.fields, Field{Start: pos, ValueStart: pos + colon + 1, End: end})
	scan.nameEnds = append(scan.nameEnds, pos+len(name))
	return true
}

// named returns the fields with their names; header is the header's bytes, which
// begin at the offset base.
func (s *headerScan) named(header []byte, base int) []Field {
	if len(s.fields) == 0 {
		return nil
	}
	text := string(header)
	for i := range s.fields {
		s.fields[i].Name = text[s.fields[i].Start-base : s.nameEnds[i]-base]
	}
	return s.fields
}

// headerOctets reports octets on which readers of a header differ.
func (p *parser) headerOctets(part *Part) {
	header := p.raw[part.Start:part.BodyStart]
	if i := bytes.IndexByte(header, 0); i >= 0 {
		p.problem(ReasonNUL, part.Start+i)
	}
	if i := bareCR(header); i >= 0 {
		p.problem(ReasonBareCR, part.Start+i)
	}
}

// validName reports whether name is a field name: visible ASCII without a colon
// (RFC 5322 §2.2, which RFC 6532 leaves as it is).
func validName[T string | []byte](name T) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c > '~' || c == ':' {
			return false
		}
	}
	return len(name) > 0
}

// decisive reports whether a field decides how the message is read.
func decisive(name string) bool {
	const content = "content-"
	return len(name) > len(content) && strings.EqualFold(name[:len(content)], content) ||
		strings.EqualFold(name, "MIME-Version")
}

// bareCR returns the offset of the first CR that no LF follows, or -1.
func bareCR[T string | []byte](text T) int {
	for i := range len(text) {
		if text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			return i
		}
	}
	return -1
}
