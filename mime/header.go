package mime

import (
	"bytes"
	"strings"
)

// header reads the header of part, which begins at part.Start, and sets Fields
// and BodyStart. A header ends behind its empty line, before a delimiter of an
// open multipart, before a line that is no header line, or with the message.
func (p *parser) header(part *Part) {
	firstField := len(p.fields)
	p.nameEnds = p.nameEnds[:0]
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
		if !p.headerLine(line, pos, end) {
			p.problem(ReasonMalformedHeader, pos)
			break
		}
		pos = end
	}
	part.BodyStart = pos
	part.Fields = p.named(firstField, p.raw[part.Start:pos], part.Start)
	if i := bytes.IndexByte(p.raw[part.Start:pos], 0); i >= 0 {
		p.problem(ReasonNUL, part.Start+i)
	}
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

// headerLine takes one line without its line end and reports whether it can be
// part of a header.
func (p *parser) headerLine(line []byte, pos, end int) bool {
	if i := bytes.IndexByte(line, '\r'); i >= 0 {
		p.problem(ReasonBareCR, pos+i)
	}
	if line[0] == ' ' || line[0] == '\t' {
		if len(p.nameEnds) == 0 {
			return false
		}
		if len(bytes.Trim(line, " \t")) == 0 {
			p.problem(ReasonBlankHeaderLine, pos)
		}
		p.fields[len(p.fields)-1].End = end
		return true
	}
	name := nameLength(line)
	colon := name
	for colon < len(line) && (line[colon] == ' ' || line[colon] == '\t') {
		colon++ // RFC 5322 §4.5 allows it in old mail
	}
	if name == 0 || colon == len(line) || line[colon] != ':' {
		return false
	}
	if name < colon && decisive(string(line[:name])) {
		p.problem(ReasonSpaceBeforeColon, pos)
	}
	if p.fields == nil {
		p.fields, p.nameEnds = make([]Field, 0, 32), make([]int, 0, 32)
	}
	p.fields = append(p.fields, Field{Start: pos, ValueStart: pos + colon + 1, End: end})
	p.nameEnds = append(p.nameEnds, pos+name)
	return true
}

// named returns the fields from the given one on with their names; header is the
// header's bytes, which begin at the offset base. One string holds all names.
func (p *parser) named(first int, header []byte, base int) []Field {
	fields := p.fields[first:len(p.fields):len(p.fields)]
	if len(fields) == 0 {
		return nil
	}
	text := string(header)
	for i := range fields {
		fields[i].Name = text[fields[i].Start-base : p.nameEnds[i]-base]
	}
	return fields
}

// nameLength returns how many octets line begins with that a field name may
// hold: visible ASCII without the colon (RFC 5322 §2.2, which RFC 6532 leaves as
// it is).
func nameLength[T string | []byte](line T) int {
	for i := range len(line) {
		if c := line[i]; c <= ' ' || c > '~' || c == ':' {
			return i
		}
	}
	return len(line)
}

// decisive reports whether a field decides how the message is read.
func decisive(name string) bool {
	const content = "content-"
	return len(name) > len(content) && name[7] == '-' && strings.EqualFold(name[:len(content)], content) ||
		len(name) == len("MIME-Version") && strings.EqualFold(name, "MIME-Version")
}
