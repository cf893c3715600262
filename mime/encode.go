package mime

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/swar"
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
}

// A measured text is what is known of a text before it is written.
type measured struct {
	encoding string // the one in which it is shorter with CRLF line ends
	size     int    // octets in that encoding, at most
	digest   uint64 // of the text with LF line ends
}

// A textEncoder encodes a text in quoted-printable or base64, whichever is shorter.
// While it measures the text it keeps what it wrote in quoted-printable, so that a
// short text, which most often is to be in that, is written once.
type textEncoder struct {
	lines   lines
	quoted  quotedPrintable
	dropped int // octets in quoted-printable that were too many to be kept
	size    int // octets of the text with CRLF line ends
	digest  *digest
	invalid bool // no UTF-8
}

// textEncoders holds those that are not in use, with their buffers.
var textEncoders = sync.Pool{New: func() any {
	return &textEncoder{quoted: quotedPrintable{dst: make([]byte, 0, keptText+4*len(lines{}.buf))}}
}}

// keptText is how many octets in quoted-printable are kept at most.
const keptText = 32 << 10

// measure reads a text, whose line ends will be eol. The encoding is chosen by the
// line ends of the wire, and so the same in a file. The error is [ReasonInvalidHTML]
// where the text is no valid UTF-8, or that of the text.
func (e *textEncoder) measure(text Source, eol string) (measured, error) {
	*e = textEncoder{quoted: quotedPrintable{eol: eol, dst: e.quoted.dst[:0]}, digest: newDigest()}
	e.lines.to = e
	digested := func(w io.Writer) error { return text(digestWriter{w, e.digest}) }
	if err := e.lines.read(digested); err != nil {
		return measured{}, err
	}
	if e.invalid {
		return measured{}, refused(ReasonInvalidHTML, "")
	}
	result := measured{"quoted-printable", e.dropped + len(e.quoted.dst), e.digest.sum()}
	wire := result.size + e.quoted.ends*(len("\r\n")-len(eol))
	if size := base64Size(e.size); size < wire {
		result.encoding, result.size = "base64", size
	}
	return result, nil
}

func (e *textEncoder) octets(s []byte, last bool) {
	e.invalid = e.invalid || !utf8.Valid(s)
	e.size += len(s)
	e.quoted.octets(s, last)
	if len(e.quoted.dst) > keptText {
		e.dropped += len(e.quoted.dst)
		e.quoted.dst = e.quoted.dst[:0]
	}
}

func (e *textEncoder) lineEnd() {
	e.size += len("\r\n")
	e.quoted.lineEnd()
}

// append appends the text that was measured last.
func (e *textEncoder) append(dst []byte, text Source, as measured, eol string) ([]byte, error) {
	if as.encoding == "quoted-printable" && e.dropped == 0 {
		return append(dst, e.quoted.dst...), nil
	}
	return appendEncoded(dst, text, as.encoding, eol)
}

// appendEncoded appends a text in the given encoding with the given line end.
func appendEncoded(dst []byte, text Source, encoding, eol string) ([]byte, error) {
	if encoding == "base64" {
		b := &base64Lines{eol: eol, dst: dst}
		err := (&lines{to: b}).read(text)
		b.flush()
		return b.dst, err
	}
	q := &quotedPrintable{eol: eol, dst: dst}
	err := (&lines{to: q}).read(text)
	return q.dst, err
}

// lines takes a text with LF or CRLF line ends in pieces and passes it on line by
// line, long lines in pieces that end between characters.
type lines struct {
	to  encoder
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
	l.drain(true)
	return nil
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
			l.n = copy(l.buf[:], l.buf[l.drain(false):])
		}
	}
	return written, nil
}

// drain passes on what is in buf and returns where it stopped.
func (l *lines) drain(all bool) int {
	pos := 0
	for {
		i := bytes.IndexByte(l.buf[pos:l.n], '\n')
		if i < 0 {
			break
		}
		line := bytes.TrimSuffix(l.buf[pos:pos+i], []byte("\r"))
		l.to.octets(line, true)
		l.to.lineEnd()
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
		l.to.octets(l.buf[pos:end], all)
	}
	return end
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
	ends int // line ends written
}

func (q *quotedPrintable) lineEnd() {
	q.dst = append(q.dst, q.eol...)
	q.used = 0
	q.ends++
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
	n := literals(s[:min(longestEncoded+1, len(s))])
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

// literals returns how many octets at the start of s may stand for themselves
// (RFC 2045 §6.7, rules 2 and 3).
func literals(s []byte) int {
	n := swar.Printable(s, '=')
	for n < len(s) && s[n] == '\t' {
		n++
		n += swar.Printable(s[n:], '=')
	}
	return n
}
