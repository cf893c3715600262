package mime

import (
	"bytes"
	"slices"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// A scanner finds the delimiter lines of the multiparts that are open.
type scanner struct {
	m     *Message
	open  []multipart // outermost first
	meter meter.Meter
	full  bool // the limit of parts was reached, or the context has ended

	counted, crCRLF bool // the line ends were counted; all are CR CR LF
}

// A multipart is open around the current position: the scanner searches for its delimiters.
type multipart struct {
	part    *Part
	current *Part // the part being read; nil in the preamble and the epilogue
	closed  bool  // the close delimiter was seen
}

// A delimiter is a delimiter line that was found.
type delimiter struct {
	start, end int // bounds of the line, with its line end
	level      int // index into scanner.open
	close      bool
}

// next returns the first delimiter line at or after pos, which is the start of
// a line.
func (s *scanner) next(pos int) (delimiter, bool) {
	for {
		start := s.dashLine(pos)
		if start < 0 {
			return delimiter{}, false
		}
		end := lineEnd(s.m.Raw, start)
		if d, ok := s.match(start, end); ok {
			return d, true
		}
		if s.ended(end - start) {
			return delimiter{}, false
		}
		pos = end
	}
}

// ended counts n bytes as read and reports whether the context has ended or the message
// has too many parts.
func (s *scanner) ended(n int) bool {
	if s.meter.Spend(n) != nil {
		s.full = true
	}
	return s.full
}

var dashes = []byte("--")

// dashLine returns the start of the first line at or after pos that begins with "--", or
// -1; pos is the start of a line. It searches for the dash, not for line ends, because
// most bodies are base64, which has no dash. A bare CR before "--" is a problem: a reader
// that takes CR for a line end sees a delimiter there if a boundary follows.
func (s *scanner) dashLine(pos int) int {
	first := pos
	for {
		i := bytes.IndexByte(s.m.Raw[pos:], '-')
		if i < 0 {
			return -1
		}
		pos += i
		if pos+1 < len(s.m.Raw) && s.m.Raw[pos+1] == '-' {
			if pos == first || s.m.Raw[pos-1] == '\n' {
				return pos
			}
			if s.m.Raw[pos-1] == '\r' {
				s.m.problem(reasonBareCR, pos-1)
				if s.mayDelimit(pos) {
					s.m.problem(reasonCRLineEnd, pos-1)
				}
			}
		}
		if s.ended(i + 1) {
			return -1
		}
		for pos < len(s.m.Raw) && s.m.Raw[pos] == '-' {
			pos++
		}
	}
}

// mayDelimit reports whether the boundary of an open multipart follows the "--" at pos.
func (s *scanner) mayDelimit(pos int) bool {
	return slices.ContainsFunc(s.open, func(mp multipart) bool {
		return bytes.HasPrefix(s.m.Raw[pos+len(dashes):], []byte(mp.part.boundary))
	})
}

// match reports whether the line [start,end), which begins with "--", is a
// delimiter of one of the open multiparts: the boundary, "--" if it closes, and
// no more than white space (RFC 2046 §5.1.1, transport-padding).
func (s *scanner) match(start, end int) (delimiter, bool) {
	line := trimLineEnd(s.m.Raw[start:end])[len(dashes):]
	found := delimiter{start: start, end: end, level: -1}
	for level := len(s.open) - 1; level >= 0; level-- {
		boundary := s.open[level].part.boundary
		if len(line) < len(boundary) || string(line[:len(boundary)]) != boundary {
			continue
		}
		tail := line[len(boundary):]
		closing := bytes.HasPrefix(tail, dashes)
		if closing {
			tail = tail[len(dashes):]
		}
		if len(tail) > 0 && bytes.HasSuffix(s.m.Raw[start:end], crCRLF) && s.endsInCRCRLF() {
			tail = bytes.TrimSuffix(tail, carriageReturn)
		}
		tail = bytes.TrimLeft(tail, " \t")
		switch {
		case len(tail) > 0 && (closing || found.level >= 0):
			s.m.problem(reasonAlikeDelimiter, start)
		case len(tail) > 0:
			s.m.problem(reasonAmbiguousDelimiter, start)
		case s.open[level].closed:
			s.m.problem(reasonDelimiterAfterClose, start)
		case found.level >= 0:
			s.m.problem(reasonAmbiguousDelimiter, start)
		default:
			found.level, found.close = level, closing
		}
	}
	return found, found.level >= 0
}

var crCRLF = []byte("\r\r\n")

// endsInCRCRLF reports whether each line of the outermost multipart ends in CR CR LF, as transports write
// that take CRLF for LF. No sender chooses by it which lines are delimiters.
func (s *scanner) endsInCRCRLF() bool {
	if !s.counted {
		s.counted = true
		body := s.m.Raw[s.open[0].part.bodyStart:]
		s.crCRLF = bytes.Count(body, crCRLF) == bytes.Count(body, newline)
	}
	return s.crCRLF
}

// delimits reports whether the line [pos,end) is a delimiter of an open
// multipart: such a line ends a header too.
func (s *scanner) delimits(pos, end int) bool {
	if !bytes.HasPrefix(s.m.Raw[pos:end], dashes) {
		return false
	}
	_, ok := s.match(pos, end)
	return ok
}

// validBoundary reports whether all readers see the same bytes in a boundary. RFC 2046
// §5.1.1 allows fewer characters, but other visible ASCII is common and not ambiguous.
func validBoundary(b string) bool {
	for i := range len(b) {
		if c := b[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return len(b) <= 70 && b[len(b)-1] != ' '
}
