package mime

import (
	"bytes"
	"slices"
)

// checkHeaderEnd reports a delimiter that ends the header of part where some programs take it for
// a line of the header, if that says how to read a body, and something follows that they take for it.
func (s *scanner) checkHeaderEnd(part *Part) {
	if part.blank || !slices.ContainsFunc(part.Fields, func(f Field) bool { return decisive(f.Name) }) {
		return
	}
	first, rest := s.lineAt(part.bodyStart)
	if !bytes.HasPrefix(first, dashes) {
		return // the header ends at a malformed line, or with the message
	}
	d, ok := s.match(part.bodyStart, rest)
	pos, line, next := rest, []byte(nil), rest
	for next < len(s.m.Raw) && isBlankLine(line) {
		pos = next
		line, next = s.lineAt(pos)
	}
	if !ok || isBlankLine(line) || s.delimits(pos, next) {
		return
	}
	if pos == rest && !d.close && part.unencoded() {
		if _, colon := headerLine(line); colon > 0 {
			return // the header of the next part, which is read as written
		}
	}
	s.m.problem(reasonAmbiguousDelimiter, part.bodyStart)
}

// lineAt returns the line at pos without its line end, and where the next one begins.
func (s *scanner) lineAt(pos int) (line []byte, next int) {
	next = lineEnd(s.m.Raw, pos)
	return trimLineEnd(s.m.Raw[pos:next]), next
}
