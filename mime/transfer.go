package mime

import (
	"bytes"
	"encoding/base64"
	"sync"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// content returns the decoded body of p. For 7bit, 8bit and binary the result is a slice of Raw. A
// broken encoding is an error; content repairs nothing.
func (m *Message) content(p *Part) ([]byte, error) {
	body := m.Body(p)
	if p.unencoded() {
		return body, nil
	}
	size := len(body)
	if p.encoding == "base64" {
		size = base64.StdEncoding.DecodedLen(size)
	}
	decoded := make([]byte, 0, size)
	err := m.decode(p, func(piece []byte) error {
		decoded = append(decoded, piece...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return decoded, nil
}

// decode passes the decoded body of p to sink, in pieces that are valid only during the call. Its
// memory does not grow with the body. The error says why the body is unreadable, or is that of the
// context or of sink.
func (m *Message) decode(p *Part, sink func(piece []byte) error) error {
	body := m.Body(p)
	t := meter.New(m.ctx)
	if p.unencoded() {
		return t.InPieces(body, sink)
	}
	switch p.encoding {
	case "quoted-printable":
		if m.cutOff(p) {
			body = body[:completeQuoted(body)]
		}
		return decodeQuotedPrintable(t, body, sink)
	case "base64":
		if m.cutOff(p) {
			body = body[:completeBase64(body)]
		}
		return decodeBase64(t, body, sink)
	}
	if looseEncoding(p.encoding) != unknownEncoding {
		return unreadable(reasonMisspeltEncoding, "%q", p.encoding)
	}
	return unreadable(reasonUnknownEncoding, "%q", p.encoding)
}

// completeQuoted returns the length of a cut-off body without an incomplete escape.
func completeQuoted(body []byte) int {
	for i := len(body) - 1; i >= 0 && i >= len(body)-2; i-- {
		if body[i] == '=' {
			return i
		}
	}
	return len(body)
}

// completeBase64 returns the length of a cut-off body without an incomplete group of four.
func completeBase64(body []byte) int {
	digits := 0
	for _, c := range body {
		if !isFieldSpace(c) {
			digits++
		}
	}
	end := len(body)
	for extra := digits % 4; extra > 0; {
		end--
		if !isFieldSpace(body[end]) {
			extra--
		}
	}
	return end
}

// decodeBuffers are the buffers of one decoder.
type decodeBuffers struct {
	decoded [decodedPiece]byte
	compact [decodedPiece / 3 * 4]byte // base64 without white space
}

var decodeBuffersPool = sync.Pool{New: func() any { return new(decodeBuffers) }}

// decodeBase64 decodes base64 (RFC 2045 §6.8). It skips white space. Other bytes outside the alphabet,
// data after the padding and missing padding are errors.
func decodeBase64(t *meter.Meter, body []byte, sink func([]byte) error) error {
	buffers := decodeBuffersPool.Get().(*decodeBuffers)
	defer decodeBuffersPool.Put(buffers)
	compact, decoded := buffers.compact[:], buffers.decoded[:]
	padded := false
	flush := func(quads []byte) error {
		if padded {
			return unreadable(reasonInvalidBase64, "data after the padding")
		}
		n, err := base64.StdEncoding.Decode(decoded, quads)
		if err != nil {
			return unreadable(reasonInvalidBase64, "%v", err)
		}
		padded = bytes.HasSuffix(quads, []byte("="))
		return sink(decoded[:n])
	}
	filled := 0
	for len(body) > 0 {
		end := bytes.IndexAny(body, " \t\r\n")
		if end < 0 {
			end = len(body)
		}
		for word := body[:end]; len(word) > 0; {
			n := copy(compact[filled:], word)
			word = word[n:]
			if filled += n; filled == len(compact) {
				if err := flush(compact); err != nil {
					return err
				}
				filled = 0
			}
		}
		if err := t.Spend(end + 1); err != nil {
			return err
		}
		body = body[min(end+1, len(body)):]
	}
	if filled == 0 {
		return nil
	}
	return flush(compact[:filled])
}

// decodeQuotedPrintable decodes quoted-printable (RFC 2045 §6.7). It removes white space at the end of
// a line (rule 3) and accepts hexadecimal digits in lower case. It returns an error for an "=" without
// a byte or soft line break, and for a byte that needs an escape. The standard library's reader accepts
// both.
func decodeQuotedPrintable(t *meter.Meter, body []byte, sink func([]byte) error) error {
	buffers := decodeBuffersPool.Get().(*decodeBuffers)
	defer decodeBuffersPool.Put(buffers)
	w := pieceWriter{buf: buffers.decoded[:0], sink: sink}
	for len(body) > 0 {
		if err := t.Spend(len("=3D")); err != nil {
			return err
		}
		if body[0] != '=' {
			n := bytes.IndexByte(body, '=')
			if n < 0 {
				n = len(body)
			}
			if err := writeLiteral(&w, body[:n], n == len(body)); err != nil {
				return err
			}
			if err := t.Spend(n); err != nil {
				return err
			}
			body = body[n:]
		} else if b, ok := hexByte(body); ok {
			if err := w.add(b); err != nil {
				return err
			}
			body = body[len("=3D"):]
		} else if n := softBreak(body); n > 0 {
			body = body[n:]
		} else {
			return unreadable(reasonInvalidQuotedPrintable, "%q", body[:min(len("=3D"), len(body))])
		}
	}
	return w.flush()
}

// writeLiteral writes quoted-printable lines without "=". end says whether the body ends after the last
// line; otherwise the line goes on.
func writeLiteral(w *pieceWriter, lines []byte, end bool) error {
	if !ascii.Is(lines) || bytes.IndexByte(lines, 0x7f) >= 0 {
		return unreadable(reasonInvalidQuotedPrintable, "a byte that needs an escape")
	}
	written := 0
	for pos := 0; ; pos++ {
		i := bytes.IndexByte(lines[pos:], '\n')
		if i < 0 {
			break
		}
		pos += i
		content := trimLineEndAt(lines, pos+1)
		if trimmed := trimBlanks(lines[written:content]); written+len(trimmed) < content {
			if err := w.write(trimmed); err != nil {
				return err
			}
			written = content
		}
	}
	lines = lines[written:]
	if end {
		lines = trimBlanks(lines)
	}
	return w.write(lines)
}

// softBreak returns the length of the soft line break at the start of s: "=", white space,
// and a line end or the end of the body. It returns 0 if s does not begin with one.
func softBreak(s []byte) int {
	n := 1
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	switch {
	case n == len(s):
		return n
	case s[n] == '\n':
		return n + 1
	case bytes.HasPrefix(s[n:], []byte("\r\n")):
		return n + 2
	}
	return 0
}

// hexByte returns the byte that s begins with as "=" and two hexadecimal digits.
func hexByte(s []byte) (b byte, ok bool) {
	if len(s) < len("=3D") {
		return 0, false
	}
	return ascii.HexByte(s[1], s[2])
}

// A pieceWriter collects bytes so that sink gets them in pieces of the capacity
// of buf.
type pieceWriter struct {
	buf  []byte
	sink func(piece []byte) error
}

func (w *pieceWriter) write(data []byte) error {
	for len(data) > cap(w.buf)-len(w.buf) {
		n := cap(w.buf) - len(w.buf)
		w.buf = append(w.buf, data[:n]...)
		data = data[n:]
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, data...)
	return nil
}

func (w *pieceWriter) add(c byte) error {
	if len(w.buf) == cap(w.buf) {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, c)
	return nil
}

// flush passes on what was collected.
func (w *pieceWriter) flush() error {
	data := w.buf
	w.buf = w.buf[:0]
	return w.sink(data)
}

// A quotedLine is one line of quoted-printable.
type quotedLine struct {
	content []byte // without white space at its end and without the "=" of a soft line break
	ending  []byte // its line end
	soft    bool   // the line ends in a soft line break
}

// cutQuotedLine splits the first line off body.
func cutQuotedLine(body []byte) (line quotedLine, rest []byte) {
	end := lineEnd(body, 0)
	content := trimLineEnd(body[:end])
	line.ending = body[len(content):end]
	line.content, line.soft = bytes.CutSuffix(trimBlanks(content), []byte("="))
	return line, body[end:]
}
