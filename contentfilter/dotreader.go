package contentfilter

import (
	"bufio"
	"bytes"
	"io"
)

// A dotReader reads the content of a message after DATA (RFC 5321 §4.5.2): it ends only at CRLF,
// dot, CRLF. The dotReader removes the dot at the start of any other line, and passes on all other
// bytes unchanged.
//
// read returns io.EOF after the end, and io.ErrUnexpectedEOF if the connection ended before it, so
// that the message is incomplete.
type dotReader struct {
	in *bufio.Reader
	// more waits until in holds at least one byte; an error ends the content.
	more func() error

	state  dotState
	bare   bool  // a CR or an LF stood alone
	size   int64 // bytes passed on
	failed error
}

type dotState uint8

const (
	lineStart dotState = iota
	lineDot            // after a dot at the start of a line, which is not passed on yet
	lineDotCR          // and a CR after it
	inLine
	inLineCR // after a CR, which was passed on
	atEnd
)

// read reads the next bytes of the content.
func (r *dotReader) read(p []byte) (int, error) {
	n := 0
	for n < len(p) && r.state != atEnd && r.failed == nil {
		if r.in.Buffered() == 0 {
			if n > 0 {
				return n, nil
			}
			r.failed = r.more()
			continue
		}
		buffered, _ := r.in.Peek(r.in.Buffered())
		given, taken := r.step(p[n:], buffered)
		n += given
		r.size += int64(given)
		_, _ = r.in.Discard(taken)
	}
	switch {
	case n > 0 || len(p) == 0:
		return n, nil
	case r.failed != nil:
		return 0, r.failed
	}
	return 0, io.EOF
}

// step passes some of the input to p. The input is not empty, and p has room for at least one byte.
// step returns how many bytes it wrote to p, and how many bytes of the input it read.
func (r *dotReader) step(p, input []byte) (given, taken int) {
	switch r.state {
	case lineStart:
		if input[0] == '.' {
			r.state = lineDot
			return 0, 1
		}
		r.state = inLine
	case lineDot:
		if input[0] == '\r' {
			r.state = lineDotCR
			return 0, 1
		}
		r.state = inLine
	case lineDotCR:
		if input[0] == '\n' {
			r.state = atEnd
			return 0, 1
		}
		// The line did not end there, so its CR is content.
		p[0] = '\r'
		r.state = inLineCR
		return 1, 0
	}
	piece := input[:min(len(p), len(input))]
	end := bytes.IndexByte(piece, '\n')
	if end >= 0 {
		piece = piece[:end+1]
	}
	copy(p, piece)
	r.pass(piece, end >= 0)
	return len(piece), len(piece)
}

// pass updates the state after a piece of a line was passed on. ends says that an LF ends the
// piece.
func (r *dotReader) pass(piece []byte, ends bool) {
	line := piece
	if ends {
		line = piece[:len(piece)-1]
	}
	cr := r.state == inLineCR
	if cr && len(line) > 0 {
		r.bare = true
	}
	if len(line) > 0 {
		cr = line[len(line)-1] == '\r'
		if i := bytes.IndexByte(line, '\r'); i >= 0 && i < len(line)-1 {
			r.bare = true
		}
	}
	switch {
	case ends && cr:
		r.state = lineStart
	case ends:
		r.bare = true
		r.state = inLine
	case cr:
		r.state = inLineCR
	default:
		r.state = inLine
	}
}
