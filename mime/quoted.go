package mime

import (
	"bytes"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// quotedPrintable encodes text by RFC 2045 §6.7. The standard library's writer does not
// escape "From " at the start of a line, which delivery to an mbox file would change, and
// always writes CRLF.
type quotedPrintable struct {
	eol  string
	dst  []byte
	used int // bytes in the line
	ends int // line ends written
}

func (q *quotedPrintable) encode(stretch []byte, last bool) {
	for len(stretch) > 0 {
		line, rest, ended := cutLine(stretch)
		q.add(line, ended || last)
		if ended {
			q.lineEnd()
		}
		stretch = rest
	}
}

func (q *quotedPrintable) lineEnd() {
	q.dst = append(q.dst, q.eol...)
	q.used = 0
	q.ends++
}

// add encodes bytes of a line; last says that the line ends after them.
func (q *quotedPrintable) add(s []byte, last bool) {
	for len(s) > 0 {
		n := literals(s)
		whole := last && n == len(s)
		if whole && (s[n-1] == ' ' || s[n-1] == '\t') {
			n, whole = n-1, false // white space may not end a line
		}
		for run := s[:n]; len(run) > 0; {
			run = run[q.literal(run, whole):]
		}
		for s = s[n:]; len(s) > 0; {
			q.escape(s[0], last && len(s) == 1)
			if s = s[1:]; len(s) > 0 && s[0] < utf8.RuneSelf {
				break // most likely a literal
			}
		}
	}
}

// keep writes a piece of a line that is encoded already. It begins a line if there is no room. last
// says that the line of text ends after it.
func (q *quotedPrintable) keep(piece []byte, last bool) {
	room := longestSoft - q.used
	if last {
		room++
	}
	if q.used > 0 && len(piece) > max(room, 0) {
		q.softBreak()
	}
	q.dst = append(q.dst, piece...)
	q.used += len(piece)
}

// endText encodes white space that would end a line of text.
func (q *quotedPrintable) endText() {
	last := len(q.dst) - 1
	if q.used == 0 || q.dst[last] != ' ' && q.dst[last] != '\t' {
		return
	}
	c := q.dst[last]
	q.dst = q.dst[:last]
	q.used--
	q.escape(c, true)
}

// escapeFrom encodes what delivery to an mbox file would change, at the start of lines.
func (q *quotedPrintable) escapeFrom() {
	if !bytes.Contains(q.dst, mboxFrom) {
		return
	}
	var lines []byte
	for line := range bytes.Lines(q.dst) {
		if rest, ok := bytes.CutPrefix(line, mboxFrom); ok {
			lines, line = append(lines, "=46rom "...), rest
		}
		lines = append(lines, line...)
	}
	q.dst = lines
}

// softBreak ends the line where the text has no line end.
func (q *quotedPrintable) softBreak() {
	q.dst = append(q.dst, '=')
	q.lineEnd()
}

// longestSoft is the longest line in front of a soft line break, without its "=".
const longestSoft = longestEncoded - 1

// escape writes a byte in hexadecimal; final says that the line of text ends
// after it.
func (q *quotedPrintable) escape(c byte, final bool) {
	if room := longestSoft - q.used; room < 2 || room < 3 && !final {
		q.softBreak()
	}
	q.dst = append(q.dst, '=', ascii.UpperHex[c>>4], ascii.UpperHex[c&15])
	q.used += 3
}

// literal writes bytes from the start of run, as many as fit in the line, and returns
// their number. None of them needs an escape; whole says that the line of text ends after
// run.
func (q *quotedPrintable) literal(run []byte, whole bool) int {
	room := longestSoft - q.used
	if whole && len(run) <= room+1 {
		room++
	}
	if room <= 0 {
		q.softBreak()
		room = longestSoft
	}
	if q.used == 0 && run[0] == 'F' && bytes.HasPrefix(run, mboxFrom) { // one byte tells nearly all lines
		q.escape(run[0], false)
		return 1
	}
	n := min(room, len(run))
	q.dst = append(q.dst, run[:n]...)
	q.used += n
	return n
}

// literals returns how many bytes at the start of s need no escape (RFC 2045 §6.7, rules 2 and 3).
func literals(s []byte) int {
	const step = 64 // bounds the search for "=", so that no byte is read again and again
	for n := 0; n < len(s); {
		line := s[n:min(len(s), n+step)]
		end := ascii.Printable(line)
		if i := bytes.IndexByte(line[:end], '='); i >= 0 {
			return n + i
		}
		if n += end; end < len(line) {
			if line[end] != '\t' {
				return n
			}
			n++
		}
	}
	return len(s)
}
