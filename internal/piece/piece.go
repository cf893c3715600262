// Package piece reads a text of any length in pieces that overlap, so that work on its
// links needs bounded memory.
package piece

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// least is the smallest number of bytes that a piece adds, except at the end.
	least = 256 << 10
	// Before is how many bytes in front of a place in a word decide which link begins there. It is
	// more than a host may have.
	Before = 4 << 10
)

// A Reader reads a text. Each link of at most a given length is whole in one piece, with
// the text around it that detection looks at.
//
// Pieces end before white space, which no link contains (UTS #58 §3.4). Only a longer
// word is cut elsewhere, where pieces overlap by more than the longest link.
type Reader struct {
	r       io.Reader
	overlap int
	buffer  []byte
	text    string
	offset  int  // offset of text in the whole text
	from    int  // in text: the end of the work done before
	next    int  // in text: links that begin here or later belong to the next piece
	end     int  // in text: the end of the latest link
	last    bool // text ends where the whole text ends
	err     error
}

// NewReader returns a Reader for links of at most longest bytes.
func NewReader(r io.Reader, longest int) *Reader { return &Reader{r: r, overlap: longest + Before} }

// Next reads the next piece. It returns false at the end of the text or after an error:
// see Err.
func (p *Reader) Next() bool {
	if p.last || p.err != nil {
		return false
	}
	p.slide()
	p.fill(p.from + max(least, p.overlap) + p.overlap)
	p.end = p.from
	p.next = p.cut()
	return p.from < len(p.text)
}

// slide drops the beginning of text that the next piece does not need.
func (p *Reader) slide() {
	end := p.end
	p.from = max(p.next, end)
	start := p.from
	if start > 0 && start < len(p.text) && !IsBlank(p.text[start]) {
		start = RuneStart(p.text, max(end, start-Before))
	}
	p.text, p.from, p.offset = p.text[start:], p.from-start, p.offset+start
}

// fill reads until the piece has size bytes or the text ends.
func (p *Reader) fill(size int) {
	if len(p.text) >= size {
		return
	}
	p.buffer = append(slices.Grow(p.buffer[:0], size), p.text...)
	for len(p.buffer) < size && p.err == nil {
		var n int
		n, p.err = p.r.Read(p.buffer[len(p.buffer):size])
		p.buffer = p.buffer[:len(p.buffer)+n]
	}
	if errors.Is(p.err, io.EOF) {
		p.last, p.err = true, nil
	}
	p.text = string(p.buffer)
}

// cut returns the offset up to which links begin in this piece.
func (p *Reader) cut() int {
	if p.last || p.err != nil {
		return len(p.text)
	}
	end := len(p.text) - p.overlap
	if i := strings.LastIndexAny(p.text[p.from+1:end], " \t\r\n"); i >= 0 {
		return p.from + 1 + i
	}
	return RuneStart(p.text, end)
}

// Text returns the piece.
func (p *Reader) Text() string { return p.text }

// Offset returns the offset of the piece in the whole text, in bytes.
func (p *Reader) Offset() int { return p.offset }

// Has reports whether a link in the piece, with its bounds there, belongs to it, and not
// to the piece before or after it. Links come in order.
func (p *Reader) Has(start, end int) bool {
	if start < p.end || start >= p.next {
		return false
	}
	p.end = end
	return true
}

// Bounds returns the part of the piece that no earlier piece had. If the last link goes beyond that
// part, the part ends with the link. Call Bounds after Has was called for all links.
func (p *Reader) Bounds() (from, to int) { return p.from, max(p.next, p.end) }

// Err returns the error that ended the text, or nil at its end.
func (p *Reader) Err() error { return p.err }

// IsBlank reports whether c is white space of ASCII, which no link contains.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// RuneStart returns the offset i, or that of the character that i is in.
func RuneStart(text string, i int) int {
	for n := 1; n < utf8.UTFMax && i > 0 && i < len(text) && !utf8.RuneStart(text[i]); n++ {
		i--
	}
	return i
}
