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
	pos := part.Start
	crlf := 0 // line ends that are CRLF
	if part.Parent == nil && bytes.HasPrefix(p.raw, mboxFrom) {
		p.problem(ReasonMboxFrom, 0)
		pos = lineEnd(p.raw, 0)
		crlf += (pos - trimLineEndAt(p.raw, pos)) / len("\r\n")
	}
	for first := pos; pos < len(p.raw); {
		end := lineEnd(p.raw, pos)
		line := trimLineEnd(p.raw[pos:end])
		ending := end - pos - len(line)
		if len(line) == 0 {
			part.blank = true
			crlf += ending / len("\r\n")
			pos = end
			break
		}
		if len(p.open) > 0 && p.delimits(pos, end) {
			break
		}
		name, colon := headerLine(line)
		if colon < 0 || colon == 0 && pos == first {
			p.problem(ReasonMalformedHeader, pos)
			break
		}
		// The message's own header is read to its end: what is done with the message depends
		// on it.
		if part.Parent != nil && p.ended(end-pos) {
			break
		}
		p.headerLeft -= end - pos
		switch {
		case p.headerLeft < 0: // the rest is only searched for its end
			p.problem(ReasonHeaderTooLarge, pos)
		case colon == 0:
			p.continuation(line, pos, end)
		default:
			p.field(line[:name], pos, colon, end)
		}
		crlf += ending / len("\r\n")
		pos = end
	}
	part.BodyStart = pos
	part.Fields = p.named(firstField)
	p.headerOctets(p.raw[part.Start:pos], part.Start, crlf)
}

// mboxFrom is what the From_ line of an mbox file begins with, and no field does
// but in the obsolete syntax of "From :", which mail servers take for such a line.
var mboxFrom = []byte("From ")

// delimits reports whether the line [pos,end) is a delimiter of an open
// multipart: such a line ends a header too.
func (p *parser) delimits(pos, end int) bool {
	if !bytes.HasPrefix(p.raw[pos:end], dashes) {
		return false
	}
	_, ok := p.match(pos, end)
	return ok
}

// headerLine reads a line that is not empty, without its line end. For the first
// line of a field it returns the length of the name and the offset of the colon,
// for a continuation line 0 and 0, for any other line a negative colon.
func headerLine(line []byte) (name, colon int) {
	if line[0] == ' ' || line[0] == '\t' {
		return 0, 0
	}
	name = nameLength(line)
	colon = name
	for colon < len(line) && (line[colon] == ' ' || line[colon] == '\t') {
		colon++ // RFC 5322 §4.5 allows it in old mail
	}
	if name == 0 || colon == len(line) || line[colon] != ':' {
		return 0, -1
	}
	return name, colon
}

// continuation extends the last field by the line [pos,end).
func (p *parser) continuation(line []byte, pos, end int) {
	if isBlank(line) {
		p.problem(ReasonBlankHeaderLine, pos)
	}
	p.fields[len(p.fields)-1].End = end
}

// isBlank reports whether a line holds nothing but spaces and tabs.
func isBlank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// field begins a field with the line [pos,end); colon is relative to pos.
func (p *parser) field(name []byte, pos, colon, end int) {
	if len(name) < colon {
		p.problem(ReasonSpaceBeforeColon, pos)
	}
	p.fields = append(p.fields, Field{})
	f := &p.fields[len(p.fields)-1]
	f.Start, f.ValueStart, f.End = pos, pos+colon+1, end
	p.nameOctets += len(name)
}

// headerOctets reports octets on which the readers of a header differ; base is
// the header's offset, crlf how many of its line ends are CRLF.
func (p *parser) headerOctets(header []byte, base, crlf int) {
	if i := bytes.IndexByte(header, 0); i >= 0 {
		p.problem(ReasonNUL, base+i)
	}
	if bytes.Count(header, carriageReturn) > crlf {
		p.problem(ReasonBareCR, base+bareCR(header))
	}
}

var carriageReturn = []byte("\r")

// bareCR returns the offset of the first CR that no LF follows, or -1.
func bareCR(b []byte) int {
	for pos := 0; ; pos++ {
		i := bytes.IndexByte(b[pos:], '\r')
		if i < 0 {
			return -1
		}
		pos += i
		if pos+1 == len(b) || b[pos+1] != '\n' {
			return pos
		}
	}
}

// named returns the fields from the given one on with their names. One string
// holds them all.
func (p *parser) named(first int) []Field {
	fields := p.fields[first:len(p.fields):len(p.fields)]
	if len(fields) == 0 {
		return nil
	}
	var names strings.Builder
	names.Grow(p.nameOctets)
	p.nameOctets = 0
	for i := range fields {
		name := p.name(&fields[i])
		if i > 0 && string(name) == fields[i-1].Name { // Received, most often
			fields[i].Name = fields[i-1].Name
			continue
		}
		start := names.Len()
		names.Write(name)
		fields[i].Name = names.String()[start:]
	}
	return fields
}

// name returns the name of a field.
func (p *parser) name(f *Field) []byte {
	end := f.ValueStart - 1
	for p.raw[end-1] == ' ' || p.raw[end-1] == '\t' {
		end--
	}
	return p.raw[f.Start:end]
}

// nameLength returns how many octets line begins with that a field name may
// hold: visible ASCII without the colon (RFC 5322 §2.2, which RFC 6532 leaves as
// it is).
func nameLength[T string | []byte](line T) int {
	for i := range len(line) {
		if !nameBytes[line[i]] {
			return i
		}
	}
	return len(line)
}

var nameBytes = func() (t [256]bool) {
	for c := '!'; c <= '~'; c++ {
		t[c] = c != ':'
	}
	return t
}()

// decisive reports whether a field decides how the message is read.
func decisive[T string | []byte](name T) bool {
	if c := name[0] | 0x20; c != 'c' && c != 'm' {
		return false
	}
	const content = "content-"
	return len(name) > len(content) && name[7] == '-' && strings.EqualFold(string(name[:len(content)]), content) ||
		len(name) == len("MIME-Version") && strings.EqualFold(string(name), "MIME-Version")
}
