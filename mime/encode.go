package mime

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"unicode/utf8"
)

// longestEncoded is the limit of RFC 2045 §6.7 and §6.8 for an encoded line.
const longestEncoded = 76

// normalised returns text with LF line ends.
func normalised(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

var newline = []byte("\n")

// A Source writes a document, the same one each time it is called. A document
// that is written when it is needed takes no memory of its own. The error is that
// of the writer, or the Source's own.
type Source func(w io.Writer) error

func sourceOf(text string) Source {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// An encoder encodes a text given in pieces.
type encoder interface {
	// octets encodes octets of a line; last says that the line ends behind them.
	octets(s []byte, last bool)
	// lineEnd encodes a line end.
	lineEnd()
	// take returns what was encoded since it was last called. It is valid until
	// more is encoded.
	take() []byte
}

// encodedSize is how long a text is in both encodings, with CRLF line ends.
type encodedSize struct{ quotedPrintable, base64 int }

// shorter returns the encoding in which the text is shorter.
func (s encodedSize) shorter() string {
	if s.quotedPrintable <= s.base64 {
		return "quoted-printable"
	}
	return "base64"
}

// measure returns how long a text with the line ends of the wire is in both
// encodings. What is chosen by it is the same in a file and on the wire. It
// passes the text with LF line ends to see, and fails if it is no valid UTF-8.
func measure(text Source, see func([]byte)) (encodedSize, error) {
	var size encodedSize
	octets := 0
	q := &quotedPrintable{eol: "\r\n"}
	l := &lines{
		octets: func(s []byte, last bool) error {
			if !utf8.Valid(s) {
				return refused(ReasonInvalidHTML, "")
			}
			q.octets(s, last)
			size.quotedPrintable += len(q.take())
			octets += len(s)
			see(s)
			return nil
		},
		lineEnd: func() {
			q.lineEnd()
			octets += len("\r\n")
			see(newline)
		},
	}
	if err := l.read(text); err != nil {
		return encodedSize{}, err
	}
	size.quotedPrintable += len(q.take())
	size.base64 = base64Size(octets)
	return size, nil
}

// appendEncoded appends a text in the given encoding with the given line end.
func appendEncoded(dst []byte, text Source, encoding, eol string) ([]byte, error) {
	var e encoder = &quotedPrintable{eol: eol}
	if encoding == "base64" {
		e = &base64Lines{eol: eol}
	}
	l := &lines{
		octets: func(s []byte, last bool) error {
			e.octets(s, last)
			dst = append(dst, e.take()...)
			return nil
		},
		lineEnd: e.lineEnd,
	}
	err := l.read(text)
	if b, ok := e.(*base64Lines); ok {
		b.flush()
	}
	return append(dst, e.take()...), err
}

// lines takes a text with LF or CRLF line ends in pieces and passes it on line by
// line, long lines in pieces that end between characters.
type lines struct {
	octets  func(s []byte, last bool) error
	lineEnd func()

	buf [4096]byte
	n   int // octets in buf
}

// lookahead is how many octets of a line are kept back until more of it is known:
// white space at its end is encoded, and so is "From " at its start, which no
// piece may end in.
const lookahead = len("From ")

// read passes on all of text.
func (l *lines) read(text Source) error {
	if err := text(l); err != nil {
		return err
	}
	_, err := l.drain(true)
	return err
}

func (l *lines) Write(p []byte) (int, error) { return writeTo(l, p) }

// WriteString spares callers the copy that Write would need.
func (l *lines) WriteString(s string) (int, error) { return writeTo(l, s) }

func writeTo[T string | []byte](l *lines, p T) (int, error) {
	written := 0
	for len(p) > 0 {
		n := copy(l.buf[l.n:], p)
		l.n += n
		p = p[n:]
		written += n
		if l.n == len(l.buf) {
			kept, err := l.drain(false)
			if err != nil {
				return written, err
			}
			l.n = copy(l.buf[:], l.buf[kept:])
		}
	}
	return written, nil
}

// drain passes on what is in buf and returns where it stopped.
func (l *lines) drain(all bool) (int, error) {
	pos := 0
	for {
		i := bytes.IndexByte(l.buf[pos:l.n], '\n')
		if i < 0 {
			break
		}
		line := bytes.TrimSuffix(l.buf[pos:pos+i], []byte("\r"))
		if err := l.octets(line, true); err != nil {
			return pos, err
		}
		l.lineEnd()
		pos += i + 1
	}
	end := l.n
	if !all {
		end = max(pos, end-lookahead)
		for back := 0; back < utf8.UTFMax && end > pos && !utf8.RuneStart(l.buf[end]); back++ {
			end--
		}
		for n := lookahead - 1; n > 0; n-- {
			if bytes.HasSuffix(l.buf[pos:end], []byte("From ")[:n]) {
				end -= n
				break
			}
		}
	}
	if end > pos {
		if err := l.octets(l.buf[pos:end], all); err != nil {
			return pos, err
		}
	}
	return end, nil
}

// base64Size returns how long n octets are in base64 with CRLF between lines.
func base64Size(n int) int {
	encoded := base64.StdEncoding.EncodedLen(n)
	if encoded == 0 {
		return 0
	}
	return encoded + (encoded-1)/longestEncoded*len("\r\n")
}

// base64Lines encodes octets in lines that eol separates. Line ends of the text
// become CRLF, as RFC 2045 §6.8 demands.
type base64Lines struct {
	eol   string
	dst   []byte
	group [longestEncoded / 4 * 3]byte // octets of the next line
	n     int
	more  bool // a line was written
}

func (b *base64Lines) octets(s []byte, _ bool) {
	for len(s) > 0 {
		if b.n == len(b.group) {
			b.flush()
		}
		n := copy(b.group[b.n:], s)
		b.n += n
		s = s[n:]
	}
}

func (b *base64Lines) lineEnd() { b.octets([]byte("\r\n"), false) }

func (b *base64Lines) take() []byte {
	taken := b.dst
	b.dst = b.dst[:0]
	return taken
}

// flush writes the octets that are left as a line.
func (b *base64Lines) flush() {
	if b.n == 0 {
		return
	}
	if b.more {
		b.dst = append(b.dst, b.eol...)
	}
	b.dst = base64.StdEncoding.AppendEncode(b.dst, b.group[:b.n])
	b.n, b.more = 0, true
}

// quotedPrintable encodes text by RFC 2045 §6.7. The standard library's writer
// leaves "From " at the start of a line, which delivery to an mbox file would
// change, and writes CRLF only.
type quotedPrintable struct {
	eol  string
	dst  []byte
	used int // octets in the line
}

func (q *quotedPrintable) lineEnd() {
	q.dst = append(q.dst, q.eol...)
	q.used = 0
}

func (q *quotedPrintable) take() []byte {
	taken := q.dst
	q.dst = q.dst[:0]
	return taken
}

func (q *quotedPrintable) octets(s []byte, last bool) {
	for len(s) > 0 {
		n := q.run(s, last)
		if n == 0 {
			n = 1
			q.encode(s[0], last && len(s) == 1)
		}
		s = s[n:]
	}
}

// softBreak ends the line where the text has no line end.
func (q *quotedPrintable) softBreak() {
	q.dst = append(q.dst, '=')
	q.lineEnd()
}

// longestSoft is the length of a line that a soft line break follows, without its
// "=". The last octet of a line of text needs no room for that.
const longestSoft = longestEncoded - 1

// encode writes an octet in hexadecimal; final says that the line of text ends
// behind it.
func (q *quotedPrintable) encode(c byte, final bool) {
	if room := longestSoft - q.used; room < 2 || room < 3 && !final {
		q.softBreak()
	}
	const digits = "0123456789ABCDEF"
	q.dst = append(q.dst, '=', digits[c>>4], digits[c&15])
	q.used += 3
}

// run writes octets at the start of s that stand for themselves, as many as the
// line holds, and returns how many they are: 0 where the first must be encoded.
func (q *quotedPrintable) run(s []byte, last bool) int {
	n := 0
	for n < len(s) && n <= longestEncoded && literal[s[n]] {
		n++
	}
	whole := last && n == len(s)
	if whole && n > 0 && (s[n-1] == ' ' || s[n-1] == '\t') {
		n, whole = n-1, false // white space may not end a line
	}
	if n == 0 {
		return 0
	}
	if q.used >= longestSoft && (!whole || n > longestEncoded-q.used) {
		q.softBreak()
	}
	if q.used == 0 && bytes.HasPrefix(s, []byte("From ")) {
		return 0
	}
	if room := longestSoft - q.used; n > room && (!whole || n > room+1) {
		n = room
	}
	q.dst = append(q.dst, s[:n]...)
	q.used += n
	return n
}

// literal holds the octets that may stand for themselves (RFC 2045 §6.7, rules 2
// and 3).
var literal = func() (t [256]bool) {
	for c := ' '; c <= '~'; c++ {
		t[c] = c != '='
	}
	t['\t'] = true
	return t
}()
