package mime

import (
	"bytes"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// A document writes a text, the same bytes on each call, without holding all of it in
// memory. The error is that of the writer or its own.
type document func(w io.Writer) error

// A measured is the result of measuring a text before it is written.
type measured struct {
	encoding string // the encoding in which the text is shorter, with CRLF line ends
	size     int    // upper limit of the bytes in that encoding
	digest   uint64 // digest of the text with LF line ends
}

// A textEncoder encodes a text in quoted-printable or base64, whichever is shorter.
// While it measures the text it keeps the quoted-printable form: most short texts use
// it, and so are encoded once.
type textEncoder struct {
	lines   lines
	quoted  quotedPrintable
	keep    int // how many bytes of the quoted-printable form are kept
	dropped int // bytes of the quoted-printable form that were not kept
	size    int // bytes of the text with CRLF line ends
	digest  digest
	invalid bool // the text is not valid UTF-8
}

// textEncoders holds unused encoders with their buffers.
var textEncoders = sync.Pool{New: func() any {
	return &textEncoder{quoted: quotedPrintable{dst: make([]byte, 0, keptText+longestStretch)}}
}}

const (
	// keptText is how many bytes of the quoted-printable form are kept.
	keptText = 32 << 10
	// longKeptText is how many bytes are kept for a text of up to longestKept bytes.
	longKeptText = 256 << 10
	longestKept  = 128 << 10
)

// measure reads a text of about size bytes that will be written with eol as its line end.
// It chooses the encoding by the length with CRLF, so a file and the wire get the same one.
// The error is [reasonInvalidHTML] if the text is not valid UTF-8, or the error of the text.
func (e *textEncoder) measure(text document, size int, eol string) (measured, error) {
	*e = textEncoder{quoted: quotedPrintable{eol: eol, dst: e.quoted.dst[:0]}, keep: keptText, digest: newDigest()}
	if size <= longestKept {
		e.keep = longKeptText
	}
	e.lines.to = e
	if err := e.lines.read(text); err != nil {
		return measured{}, err
	}
	if e.invalid {
		return measured{}, refused(reasonInvalidHTML, "")
	}
	result := measured{"quoted-printable", e.dropped + len(e.quoted.dst), e.digest.sum()}
	wire := result.size + e.quoted.ends*(len("\r\n")-len(eol))
	if size := base64Size(e.size); size < wire {
		result.encoding, result.size = "base64", size
	}
	return result, nil
}

func (e *textEncoder) encode(stretch []byte, last bool) {
	e.digest.normalised(stretch)
	e.invalid = e.invalid || !utf8.Valid(stretch)
	e.size += len(stretch) + bytes.Count(stretch, newline) - bytes.Count(stretch, []byte("\r\n"))
	e.quoted.encode(stretch, last)
	if len(e.quoted.dst) > e.keep {
		e.dropped += len(e.quoted.dst)
		e.quoted.dst = e.quoted.dst[:0]
	}
}

// append appends the text that measure has read.
func (e *textEncoder) append(dst []byte, text document, as measured, eol string) ([]byte, error) {
	if as.encoding == "quoted-printable" && e.dropped == 0 {
		return append(dst, e.quoted.dst...), nil
	}
	return appendEncoded(dst, text, as.encoding, eol)
}

// appendEncoded appends a text in the given encoding with the given line end.
func appendEncoded(dst []byte, text document, encoding, eol string) ([]byte, error) {
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

// lines takes a text with LF or CRLF line ends in pieces, and passes it on in stretches of whole lines.
// Long lines are passed on in pieces that end between characters. Only long lines, and lines that
// arrive in pieces, are copied.
type lines struct {
	to  encoder
	buf [4096]byte
	n   int // bytes in buf
}

const (
	// longestStretch is the largest number of bytes passed on at once.
	longestStretch = 16 << 10

	// lookahead is how many bytes of a line wait for the next piece. White space at the
	// end of a line and "From " at its start are encoded, and a piece must not end
	// within them.
	lookahead = len("From ")
)

// read passes on all of text.
func (l *lines) read(text document) error {
	if err := text(stream.Writer(l.write)); err != nil {
		return err
	}
	l.to.encode(l.buf[:l.n], true)
	return nil
}

// write takes the next piece.
func (l *lines) write(p []byte) (int, error) {
	size := len(p)
	for len(p) > 0 {
		if l.n == 0 {
			whole := bytes.LastIndexByte(p[:min(len(p), longestStretch)], '\n') + 1
			if whole > 0 {
				l.to.encode(p[:whole], false)
				p = p[whole:]
				continue
			}
		}
		n := copy(l.buf[l.n:], p)
		n = lineEnd(l.buf[:l.n+n], l.n) - l.n
		l.n += n
		p = p[n:]
		if l.n == len(l.buf) || l.buf[l.n-1] == '\n' {
			passed := passable(l.buf[:l.n])
			l.to.encode(l.buf[:passed], false)
			l.n = copy(l.buf[:], l.buf[passed:l.n])
		}
	}
	return size, nil
}

// passable returns how many bytes of an incomplete line can be passed on now.
func passable(line []byte) int {
	if bytes.HasSuffix(line, newline) {
		return len(line)
	}
	end := len(line) - lookahead
	for back := 0; back < utf8.UTFMax && end > 0 && !utf8.RuneStart(line[end]); back++ {
		end--
	}
	for n := lookahead - 1; n > 0; n-- {
		if bytes.HasSuffix(line[:end], []byte("From ")[:n]) {
			return end - n
		}
	}
	return end
}

// An encoder encodes a text given in stretches.
type encoder interface {
	// encode encodes whole lines, or the beginning of a line that is long; last says
	// that the text ends after the stretch.
	encode(stretch []byte, last bool)
}
