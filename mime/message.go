package mime

import (
	"bytes"
	"context"
	"slices"
)

// Limits bound the work of [Parse]. Zero and negative values mean the default.
type Limits struct {
	Depth       int // multiparts and messages within each other; the outermost counts 1
	Parts       int // parts of any kind, multiparts included
	HeaderBytes int // bytes of all headers together
}

// DefaultLimits returns the default limits.
func DefaultLimits() Limits { return Limits{Depth: 20, Parts: 500, HeaderBytes: 1 << 20} }

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	if l.Depth <= 0 {
		l.Depth = d.Depth
	}
	if l.Parts <= 0 {
		l.Parts = d.Parts
	}
	if l.HeaderBytes <= 0 {
		l.HeaderBytes = d.HeaderBytes
	}
	return l
}

// A Message is a parsed mail message. It refers to the bytes of Raw, which the caller must not
// change while the Message or a text of it is in use. Several goroutines may use a Message at
// once.
type Message struct {
	Raw      []byte
	Root     *Part
	Problems []Reason // malformed or ambiguous places; each reason once

	offsets []int // first place of each problem, as an offset into Raw
	limits  Limits
	depth   int  // multiparts around the message, for [Message.Embedded]
	cut     bool // Raw is only the beginning of the message
	ctx     context.Context

	decoded       *Part  // the leaf whose text was decoded last
	text, charset string // its text and charset

	root Part
	room [24]Field // room for the header's fields: most messages have fewer
}

// A Part is one MIME entity: the message itself or a part of a multipart.
type Part struct {
	// Number is the section number as IMAP counts (RFC 9051 §6.4.5): "1", "1.2".
	// The leaf of a message that is not multipart is "1". A multipart message
	// itself, which IMAP does not number, is "0".
	Number    string
	Fields    []Field // header fields in order
	MediaType string  // lower case; default text/plain
	Filename  string  // the decoded name in Content-Disposition, or else in Content-Type

	parent   *Part
	children []*Part // the parts of a multipart

	// Byte offsets into Message.Raw: the header is [start,bodyStart) with its empty
	// line, the body [bodyStart,end).
	start, bodyStart, end int

	params      parameters // parameters of Content-Type
	encoding    string     // Content-Transfer-Encoding, lower case; default 7bit
	disposition string     // value of Content-Disposition in lower case, or ""
	blank       bool       // the header ends in an empty line
	boundary    string     // boundary of a multipart that was opened, else ""
}

// A Field is one header field of a [Message].
type Field struct {
	Name string // as written, without white space before the colon

	// Offsets into Message.Raw: of the name, after the colon, and after the line end of the
	// field's last line.
	start, valueStart, end int
}

// doubtful reports whether the message has a problem for the given reason.
func (m *Message) doubtful(reason Reason) bool { return slices.Contains(m.Problems, reason) }

// eol returns the line end of the first line of the message, "\r\n" if it has none.
func (m *Message) eol() string {
	if i := bytes.IndexByte(m.Raw, '\n'); i >= 0 && (i == 0 || m.Raw[i-1] != '\r') {
		return "\n"
	}
	return "\r\n"
}

// Body returns the bytes of the body of p in Raw, without the line end that belongs to
// the delimiter after it (RFC 2046 §5.1.1).
func (m *Message) Body(p *Part) []byte { return m.Raw[p.bodyStart:p.end] }

func (m *Message) headerBytes(p *Part) []byte { return m.Raw[p.start:p.bodyStart] }

// fieldBytes returns the fields of p without the empty line after them.
func (m *Message) fieldBytes(p *Part) []byte {
	if len(p.Fields) == 0 {
		return nil
	}
	return m.Raw[p.Fields[0].start:p.Fields[len(p.Fields)-1].end]
}

// cutOff reports whether the end of p is missing.
func (m *Message) cutOff(p *Part) bool { return m.cut && p.end == len(m.Raw) }

// problem adds a problem. Only the first place of each reason is kept.
func (m *Message) problem(reason Reason, offset int) {
	if !m.doubtful(reason) {
		m.Problems = append(m.Problems, reason)
		m.offsets = append(m.offsets, offset)
	}
}
