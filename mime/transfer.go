package mime

import (
	"bytes"
	"encoding/base64"
	"sync"

	"github.com/linkmilter/linkmilter/internal/swar"
)

// Content returns the body of p with its transfer encoding removed. For 7bit,
// 8bit and binary that is a part of Raw itself. The error is an
// [UnreadableError]; a broken encoding is never repaired.
func (m *Message) Content(p *Part) ([]byte, error) {
	body := m.Raw[p.BodyStart:p.End]
	size := len(body)
	switch p.Encoding {
	case "7bit", "8bit", "binary":
		return body, nil
	case "base64":
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

// decode passes the body of p with its transfer encoding removed to sink, in
// pieces that are valid during the call only. It so needs no memory that grows
// with the body. The error is an [UnreadableError], or that of sink.
func (m *Message) decode(p *Part, sink func(piece []byte) error) error {
	body := m.Raw[p.BodyStart:p.End]
	switch p.Encoding {
	case "7bit", "8bit", "binary":
		return sink(body)
	case "quoted-printable":
		if m.cutOff(p) {
			body = body[:completeQuoted(body)]
		}
		return decodeQuotedPrintable(body, sink)
	case "base64":
		if m.cutOff(p) {
			body = body[:completeBase64(body)]
		}
		return decodeBase64(body, sink)
	}
	return unreadable(ReasonUnknownEncoding, "%q", p.Encoding)
}

// completeQuoted returns the length of a body that was cut off without an escape
// that is not complete.
func completeQuoted(body []byte) int {
	for i := len(body) - 1; i >= 0 && i >= len(body)-2; i-- {
		if body[i] == '=' {
			return i
		}
	}
	return len(body)
}

// completeBase64 returns the length of a body that was cut off without a group of
// four that is not complete.
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

// decodedPiece is about how many octets the decoders pass on at once.
const decodedPiece = 3 << 10

// decodeBuffers are what the decoders need.
type decodeBuffers struct {
	decoded [decodedPiece]byte
	compact [decodedPiece / 3 * 4]byte // base64 without white space
}

var decodeBuffersPool = sync.Pool{New: func() any { return new(decodeBuffers) }}

// decodeBase64 decodes RFC 2045 §6.8. White space is passed over; any other octet
// outside the alphabet, data behind the padding and missing padding are errors.
func decodeBase64(body []byte, sink func([]byte) error) error {
	buffers := decodeBuffersPool.Get().(*decodeBuffers)
	defer decodeBuffersPool.Put(buffers)
	compact, decoded := buffers.compact[:], buffers.decoded[:]
	padded := false
	flush := func(quads []byte) error {
		if padded {
			return unreadable(ReasonInvalidBase64, "data behind the padding")
		}
		n, err := base64.StdEncoding.Decode(decoded, quads)
		if err != nil {
			return unreadable(ReasonInvalidBase64, "%v", err)
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
		body = body[min(end+1, len(body)):]
	}
	if filled == 0 {
		return nil
	}
	return flush(compact[:filled])
}

// decodeQuotedPrintable decodes RFC 2045 §6.7. White space at the end of a line
// is removed (rule 3) and hexadecimal digits may be in lower case; an "=" that
// begins neither an octet nor a soft line break, and octets that may not stand
// unencoded, are errors. The standard library's reader takes both as they are.
func decodeQuotedPrintable(body []byte, sink func([]byte) error) error {
	buffers := decodeBuffersPool.Get().(*decodeBuffers)
	defer decodeBuffersPool.Put(buffers)
	decoded := buffers.decoded[:0]
	for len(body) > 0 {
		var line quotedLine
		line, body = cutQuotedLine(body)
		for content := line.content; len(content) > 0; {
			if len(decoded)+3 > cap(decoded) {
				if err := sink(decoded); err != nil {
					return err
				}
				decoded = decoded[:0]
			}
			n, err := appendQuoted(&decoded, content)
			if err != nil {
				return err
			}
			content = content[n:]
		}
		if line.soft {
			continue
		}
		if len(decoded)+len(line.ending) > cap(decoded) {
			if err := sink(decoded); err != nil {
				return err
			}
			decoded = decoded[:0]
		}
		decoded = append(decoded, line.ending...)
	}
	return sink(decoded)
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
	for len(content) > 0 && (content[len(content)-1] == ' ' || content[len(content)-1] == '\t') {
		content = content[:len(content)-1]
	}
	line.content, line.soft = bytes.CutSuffix(content, []byte("="))
	return line, body[end:]
}

// appendQuoted appends the octets that the start of a line of quoted-printable
// encodes, as far as the capacity of dst goes, and returns how many octets of the
// line they were.
func appendQuoted(dst *[]byte, line []byte) (int, error) {
	room := min(cap(*dst)-len(*dst), len(line))
	i := swar.Printable(line[:room], '=')
	for i < room && line[i] < ' ' {
		i++
		i += swar.Printable(line[i:room], '=')
	}
	if i < room && line[i] != '=' {
		return 0, unreadable(ReasonInvalidQuotedPrintable, "octet 0x%02x", line[i])
	}
	*dst = append(*dst, line[:i]...)
	if i > 0 {
		return i, nil
	}
	if len(line) < 3 {
		return 0, unreadable(ReasonInvalidQuotedPrintable, "%q", line)
	}
	high, low := unhex(line[1]), unhex(line[2])
	if high < 0 || low < 0 {
		return 0, unreadable(ReasonInvalidQuotedPrintable, "%q", line[:3])
	}
	*dst = append(*dst, byte(high<<4|low))
	return 3, nil
}

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
