package mime

import (
	"io"
	stdmime "mime"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"

	"github.com/emersion/go-message/charset"
)

// nameLength returns how many bytes at the start of line are valid in a field name:
// visible ASCII without the colon (RFC 5322 §2.2, also under RFC 6532).
func nameLength[T string | []byte](line T) int {
	for i := range len(line) {
		if !nameBytes[line[i]] {
			return i
		}
	}
	return len(line)
}

var nameBytes = func() (t [256]bool) {
	for c := '!'; c <= '~'; c++ {
		t[c] = c != ':'
	}
	return t
}()

// decisive reports whether a field decides how the message is read.
func decisive[T string | []byte](name T) bool {
	if c := name[0] | 0x20; c != 'c' && c != 'm' {
		return false
	}
	const content = "content-"
	return len(name) > len(content) && name[7] == '-' && strings.EqualFold(string(name[:len(content)]), content) ||
		len(name) == len("MIME-Version") && strings.EqualFold(string(name), "MIME-Version")
}

// mboxFrom begins the From_ line of an mbox file. Only a field in the obsolete syntax "From :" begins
// so, too, and mail servers take it for such a line.
var mboxFrom = []byte("From ")

// named reports whether the field has this name, in any case.
func (f Field) named(name string) bool {
	return ascii.EqualFold(f.Name, name)
}

// RawField returns the bytes of f, from its name to the end of its last line.
func (m *Message) RawField(f Field) []byte { return m.Raw[f.start:f.end] }

// FieldValue returns the value of f unfolded (RFC 5322 §2.2.3) and without white space
// around it. It does not decode encoded words.
func (m *Message) FieldValue(f Field) string {
	return unfold(m.Raw[f.valueStart:f.end])
}

// unfold removes line ends (RFC 5322 §2.2.3) and the white space around a value.
func unfold(raw []byte) string {
	value := string(trimSpace(raw))
	if strings.IndexByte(value, '\n') < 0 {
		return value
	}
	return lineEnds.Replace(value)
}

// lineEnds removes the line ends of a folded value, and those that a transport wrote for CRLF.
var lineEnds = strings.NewReplacer("\r\r\n", "", "\r\n", "", "\n", "")

// trimSpace returns the value of a field without white space around it.
func trimSpace(raw []byte) []byte {
	start, end := 0, len(raw)
	for start < end && isFieldSpace(raw[start]) {
		start++
	}
	for start < end && isFieldSpace(raw[end-1]) {
		end--
	}
	return raw[start:end]
}

func isFieldSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// DecodedValue returns the value of f with its encoded words (RFC 2047) decoded to UTF-8.
// It keeps broken encoded words, and raw bytes, so the result may be invalid UTF-8. In
// words of an unknown charset, each byte above 127 becomes U+FFFD.
func (m *Message) DecodedValue(f Field) string {
	return m.decodeWords(m.FieldValue(f))
}

// decodeWords decodes the encoded words of a value. If the context ends, it returns the value
// unchanged: a header has room for many words, and some charsets take long.
func (m *Message) decodeWords(value string) string {
	if !strings.Contains(value, "=?") {
		return value
	}
	decoder := stdmime.WordDecoder{CharsetReader: func(label string, input io.Reader) (io.Reader, error) {
		if err := m.ctx.Err(); err != nil {
			return nil, err
		}
		return wordReader(label, input)
	}}
	decoded, err := decoder.DecodeHeader(value)
	if err != nil {
		return value
	}
	return decoded
}

// wordReader decodes one encoded word. A language may follow the charset (RFC 2231 §5).
// An unknown charset is not an error, because the decoder would then leave the other
// words of the field encoded.
func wordReader(label string, input io.Reader) (io.Reader, error) {
	label, _, _ = strings.Cut(label, "*")
	if r, err := charset.Reader(label, input); err == nil {
		return r, nil
	}
	return charset.Reader("us-ascii", input)
}

// count returns the number of fields of p with this name, in any case.
func (p *Part) count(name string) int {
	n := 0
	for _, f := range p.Fields {
		if f.named(name) {
			n++
		}
	}
	return n
}
