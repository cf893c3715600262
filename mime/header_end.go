package mime

import (
	"bytes"
	"slices"
)

// checkHeaderEnd reports a delimiter that ends the header of part without an empty line. Some programs
// take the delimiter for a line of the header. That matters only if the header says how to read a body,
// and something follows that these programs read as the body.
func (s *scanner) checkHeaderEnd(part *Part) {
	if !part.endsOpen() {
		return
	}
	first, rest := s.m.lineAt(part.bodyStart)
	if !bytes.HasPrefix(first, dashes) {
		return // the header ends at a malformed line, or with the message
	}
	d, ok := s.match(part.bodyStart, rest)
	if ok && s.m.mayGoOn(part, rest, d.close, s.delimits) {
		s.m.problem(reasonAmbiguousDelimiter, part.bodyStart)
	}
}

// checkInnerHeaderEnd is checkHeaderEnd for the message in p, which is not encoded. The header of that
// message ends with p, at the delimiter after p.
func (m *Message) checkInnerHeaderEnd(p *Part, inner *Message) {
	root := inner.Root
	if !root.endsOpen() || root.bodyStart < len(inner.Raw) || bytes.HasSuffix(inner.Raw, newline) || p.end == len(m.Raw) {
		return
	}
	delimiter, rest := m.lineAt(lineEnd(m.Raw, p.end))
	closes := bytes.HasSuffix(bytes.TrimRight(delimiter, " \t"), dashes)
	if m.mayGoOn(root, rest, closes, func(pos, _ int) bool { return bytes.HasPrefix(m.Raw[pos:], dashes) }) {
		inner.problem(reasonAmbiguousDelimiter, root.bodyStart)
	}
}

// endsOpen reports whether the header of p says how to read a body, but has no empty line at its end.
func (p *Part) endsOpen() bool {
	return !p.blank && slices.ContainsFunc(p.Fields, func(f Field) bool { return decisive(f.Name) })
}

// mayGoOn reports whether programs may take what follows a delimiter for the rest of the header of
// part, or for its body. rest is the offset after the delimiter.
func (m *Message) mayGoOn(part *Part, rest int, closes bool, delimits func(pos, end int) bool) bool {
	pos, line, next := rest, []byte(nil), rest
	for next < len(m.Raw) && isBlankLine(line) {
		pos = next
		line, next = m.lineAt(pos)
	}
	if isBlankLine(line) || delimits(pos, next) {
		return false
	}
	if pos == rest && !closes && part.unencoded() {
		if _, colon := headerLine(line); colon > 0 {
			return false // the header of the next part, which is read as written
		}
	}
	return true
}

// lineAt returns the line at pos without its line end, and the offset of the next line.
func (m *Message) lineAt(pos int) (line []byte, next int) {
	next = lineEnd(m.Raw, pos)
	return trimLineEnd(m.Raw[pos:next]), next
}
