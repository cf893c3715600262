package mime

import (
	"bytes"
	"strings"
)

// A headerReader reads the headers of a message.
type headerReader struct {
	*scanner
	left      int     // bytes of header that may still be read
	endsEarly bool    // the header that is read has ended for some programs
	fields    []Field // the fields of all parts; each Part has a part of this slice
	nameBytes int     // total length of the names that are not set yet
}

// read reads the header of part, which begins at part.Start, and sets Fields and
// BodyStart. A header ends after its empty line, before a delimiter of an open multipart,
// before a line that is not a header line, or with the message.
func (r *headerReader) read(part *Part) {
	firstField := len(r.fields)
	pos := part.start
	crlf := 0 // line ends that are CRLF
	r.endsEarly = false
	if part.parent == nil && bytes.HasPrefix(r.m.Raw, mboxFrom) {
		r.m.problem(reasonMboxFrom, 0)
		if line := r.m.Raw[:lineEnd(r.m.Raw, 0)]; !isFromField(line) {
			pos = len(line)
			crlf += (pos - trimLineEndAt(r.m.Raw, pos)) / len("\r\n")
		}
	}
	for first := pos; pos < len(r.m.Raw); {
		end := lineEnd(r.m.Raw, pos)
		line := trimLineEnd(r.m.Raw[pos:end])
		ending := end - pos - len(line)
		if len(line) == 0 {
			part.blank = true
			crlf += ending / len("\r\n")
			pos = end
			break
		}
		if len(r.open) > 0 && r.delimits(pos, end) {
			break
		}
		name, colon := headerLine(line)
		if colon < 0 || colon == 0 && pos == first {
			r.m.problem(r.noField(line, end), pos)
			break
		}
		// The message's own header is read to its end: rules and guards need all of it.
		if part.parent != nil && r.ended(end-pos) {
			break
		}
		r.left -= end - pos
		switch {
		case r.left < 0: // the rest is only searched for its end
			r.m.problem(reasonHeaderTooLarge, pos)
		case colon == 0:
			r.continuation(line, pos, end)
		default:
			r.field(line[:name], pos, colon, end)
		}
		crlf += ending / len("\r\n")
		pos = end
	}
	part.bodyStart = pos
	part.Fields = r.named(firstField)
	r.checkBytes(r.m.Raw[part.start:pos], part.start, crlf)
}

// noField returns the problem of a line that is no field. A line of CR alone ends a header whose lines
// end in CR CR LF. It is a malformed header only if a field that says how to read the body follows.
func (r *headerReader) noField(line []byte, end int) Reason {
	if len(trimSpace(line)) > 0 {
		return reasonMalformedHeader
	}
	next, _ := r.m.lineAt(end)
	if len(next) > 0 {
		if name, colon := headerLine(next); colon > 0 && decisive(next[:name]) {
			return reasonMalformedHeader
		}
	}
	return reasonBareCR
}

// isFromField reports whether a line that looks like the From_ line of an mbox file is a field for
// programs that know the obsolete syntax.
func isFromField(line []byte) bool {
	_, colon := headerLine(line)
	return colon > 0
}

// headerLine reads a non-empty line without its line end. For the first line of a field it returns the
// length of the name and the offset of the colon. For a continuation line both are 0. For any other
// line the colon is negative.
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
func (r *headerReader) continuation(line []byte, pos, end int) {
	if isBlankLine(line) {
		r.m.problem(reasonBlankHeaderLine, pos)
		r.endsEarly = true
	}
	r.fields[len(r.fields)-1].end = end
}

// field begins a field with the line [pos,end); colon is relative to pos.
func (r *headerReader) field(name []byte, pos, colon, end int) {
	if len(name) < colon {
		r.m.problem(reasonSpaceBeforeColon, pos)
		r.endsEarly = true
	}
	if r.endsEarly && decisive(name) {
		r.m.problem(reasonEarlyHeaderEnd, pos)
	}
	r.fields = append(r.fields, Field{})
	f := &r.fields[len(r.fields)-1]
	f.start, f.valueStart, f.end = pos, pos+colon+1, end
	r.nameBytes += len(name)
}

// checkBytes reports bytes that programs read differently in a header: NUL and bare CR.
// base is the header's offset, crlf the number of its line ends that are CRLF.
func (r *headerReader) checkBytes(header []byte, base, crlf int) {
	if i := bytes.IndexByte(header, 0); i >= 0 {
		r.m.problem(reasonNUL, base+i)
	}
	if bytes.Count(header, carriageReturn) > crlf {
		r.m.problem(reasonBareCR, base+bareCR(header))
		if i := crBeforeText(header); i >= 0 {
			r.m.problem(reasonCRLineEnd, base+i)
		}
	}
}

// named sets the names of the fields from index first on, and returns these fields. One string holds
// all names.
func (r *headerReader) named(first int) []Field {
	fields := r.fields[first:len(r.fields):len(r.fields)]
	if len(fields) == 0 {
		return nil
	}
	var names strings.Builder
	names.Grow(r.nameBytes)
	r.nameBytes = 0
	for i := range fields {
		name := r.name(&fields[i])
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
func (r *headerReader) name(f *Field) []byte {
	end := f.valueStart - 1
	for r.m.Raw[end-1] == ' ' || r.m.Raw[end-1] == '\t' {
		end--
	}
	return r.m.Raw[f.start:end]
}
