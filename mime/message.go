package mime

import (
	"bytes"
	"context"
	"io"
	"iter"
	stdmime "mime"
	"strings"

	"github.com/emersion/go-message/charset"
)

// Limits bound the work of [Parse]. A value that is not positive means the
// default.
type Limits struct {
	Depth       int // nested multiparts, the outermost counts 1; default 20
	Parts       int // parts of any kind, multiparts included; default 500
	HeaderBytes int // octets of all headers together; default 1 MiB
}

func (l Limits) withDefaults() Limits {
	if l.Depth <= 0 {
		l.Depth = 20
	}
	if l.Parts <= 0 {
		l.Parts = 500
	}
	if l.HeaderBytes <= 0 {
		l.HeaderBytes = 1 << 20
	}
	return l
}

// A Message is a parsed mail message. It refers to the bytes it was parsed
// from and holds no others; neither may be changed while it is in use. A
// Message may be used by several goroutines at once.
type Message struct {
	Raw      []byte
	Root     *Part
	Problems []Problem // each code at most once, at its first place

	limits Limits
	depth  int  // multiparts around the message, for [Message.Embedded]
	cut    bool // Raw is only the beginning of the message
	ctx    context.Context
}

// A Part is one MIME entity: the message itself or a part of a multipart.
type Part struct {
	Parent   *Part
	Children []*Part // of a multipart

	// Number is the section number as IMAP counts (RFC 9051 §6.4.5): "1", "1.2".
	// The leaf of a message that is not multipart is "1". A multipart message
	// itself, which IMAP does not number, is "0".
	Number string

	Fields []Field // header fields in order

	// Byte offsets into Message.Raw: the header is [Start,BodyStart) with its
	// empty line, the body [BodyStart,End) without the line end that belongs to
	// the delimiter after it (RFC 2046 §5.1.1).
	Start, BodyStart, End int

	MediaType   string // lower case; default text/plain
	Params      Params // of Content-Type
	Encoding    string // Content-Transfer-Encoding, lower case; default 7bit
	Disposition string // lower case; "" when there is none
	Filename    string // of Content-Disposition, else the name of Content-Type; decoded

	blank    bool   // the header ends in an empty line
	boundary string // of a multipart that was opened, else ""
}

// A Field is one header field as offsets into Message.Raw.
type Field struct {
	Name       string // as written, without white space before the colon
	Start      int    // of the name
	ValueStart int    // behind the colon
	End        int    // behind the line end of the field's last line
}

// Named reports whether the field has a name, in any case.
func (f Field) Named(name string) bool {
	return len(f.Name) == len(name) && strings.EqualFold(f.Name, name)
}

// FieldValue returns the value of f unfolded (RFC 5322 §2.2.3) and without
// white space around it.
func (m *Message) FieldValue(f Field) string {
	return unfold(m.Raw[f.ValueStart:f.End])
}

// unfold removes line ends (RFC 5322 §2.2.3) and white space around a value.
func unfold(raw []byte) string {
	value := string(trimSpace(raw))
	if strings.IndexByte(value, '\n') < 0 {
		return value
	}
	return lineEnds.Replace(value)
}

// lineEnds are those of a folded value, with nothing for each.
var lineEnds = strings.NewReplacer("\r\n", "", "\n", "")

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

// DecodedValue returns the value of f with the encoded words of RFC 2047
// decoded to UTF-8. Words whose encoding is broken stay as they are; in words of
// an unknown charset each octet above 127 becomes U+FFFD. Octets that are not
// encoded stay as they are too, so the result need not be valid UTF-8.
func (m *Message) DecodedValue(f Field) string {
	return decodeWords(m.FieldValue(f))
}

func decodeWords(value string) string {
	if !strings.Contains(value, "=?") {
		return value
	}
	decoder := stdmime.WordDecoder{CharsetReader: wordReader}
	decoded, err := decoder.DecodeHeader(value)
	if err != nil {
		return value
	}
	return decoded
}

// wordReader decodes one encoded word. A language may follow the charset (RFC
// 2231 §5). An unknown charset is no error, which would leave the other words of
// the field undecoded and hide what they say.
func wordReader(label string, input io.Reader) (io.Reader, error) {
	label, _, _ = strings.Cut(label, "*")
	if r, err := charset.Reader(label, input); err == nil {
		return r, nil
	}
	return charset.Reader("us-ascii", input)
}

// Values returns the values of all fields of p called name, in any case, in
// order, as [Message.FieldValue] gives them.
func (m *Message) Values(p *Part, name string) []string {
	var values []string
	for _, f := range p.Fields {
		if f.Named(name) {
			values = append(values, m.FieldValue(f))
		}
	}
	return values
}

// Leaves iterates over the parts without children in the order of the message.
// It does not look into attached messages (see [Message.Embedded]); multiparts
// that could not be opened count as leaves.
func (m *Message) Leaves() iter.Seq[*Part] {
	return m.Root.Leaves()
}

// Leaves iterates over the leaves in p as [Message.Leaves] does; a leaf is its
// own only leaf.
func (p *Part) Leaves() iter.Seq[*Part] {
	return func(yield func(*Part) bool) { p.leaves(yield) }
}

func (p *Part) leaves(yield func(*Part) bool) bool {
	if len(p.Children) == 0 {
		return yield(p)
	}
	for _, child := range p.Children {
		if !child.leaves(yield) {
			return false
		}
	}
	return true
}

// Doubtful reports whether the message has a problem with the given code.
func (m *Message) Doubtful(code Reason) bool {
	for _, p := range m.Problems {
		if p.Code == code {
			return true
		}
	}
	return false
}

// LineEnd returns the line end that the message uses: that of its first line,
// "\r\n" when it has none.
func (m *Message) LineEnd() string {
	if i := bytes.IndexByte(m.Raw, '\n'); i >= 0 && (i == 0 || m.Raw[i-1] != '\r') {
		return "\n"
	}
	return "\r\n"
}
