package milter

import (
	"bytes"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/budget"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

// Reason is why a message went on without having been looked at, or
// without an edit that the filter asked for. The codes are stable; they
// appear in the log beside those of the filter.
type Reason = outcome.Reason

// Reasons why a message was not read at all.
const (
	ReasonTooLarge   = outcome.TooLarge   // larger than Limits.MaxMessage: the header alone, or what was to be edited
	ReasonMemory     = outcome.Memory     // Limits.Memory was exhausted
	ReasonOutOfOrder = outcome.OutOfOrder // commands in an order that makes no message
	ReasonPanic      = outcome.Panic      // linkmilter or the filter panicked
	ReasonDeadline   = outcome.Deadline   // the filter did not return in time
)

// Reasons why an edit was not made.
const (
	ReasonNotGranted Reason = "not-granted" // the MTA did not grant the right to it
	ReasonHeader     Reason = "odd-header"  // the header cannot be addressed or written safely
)

// progress is how far a message has come.
type progress uint8

const (
	noMessage  progress = iota
	inEnvelope          // after MAIL
	inHeader            // after the first header field
	inBody              // after the end of the header
)

// field is a header field as the MTA sent it: the value begins with what
// follows the colon, and folded lines are separated as the MTA does it, by LF.
type field struct{ name, value string }

const (
	fieldCost     = 64 // bytes of memory beside the text of a field
	recipientCost = 32 // likewise
	usualFields   = 16 // for which room is made at once, and kept for the next message
)

// message is what is known of the message in hand.
type message struct {
	limit    int64 // Limits.MaxMessage
	budget   *budget.Budget
	reserved int64 // of budget

	env        filter.Envelope
	progress   progress
	fields     []field
	headerSize int64 // bytes the fields take in the raw message
	body       body
	beyond     int64  // bytes of the body that came and are not kept, since they are above the limit
	unread     Reason // "": everything was collected, up to the limit
	odd        bool   // some field would be read differently in the raw message
}

// giveUp drops what was collected, and what is still to come: the message
// goes on as it is. The first reason stays.
func (m *message) giveUp(reason Reason) {
	if m.unread == "" {
		m.unread = reason
	}
	m.drop()
}

// drop frees the message's memory.
func (m *message) drop() {
	m.body, m.env.Recipients = body{}, nil
	if clear(m.fields); cap(m.fields) > usualFields {
		m.fields = nil
	}
	m.fields = m.fields[:0]
	m.budget.Release(m.reserved)
	m.reserved = 0
}

// take reserves n bytes for the message, or gives it up.
func (m *message) take(n int64) bool {
	if !m.budget.Reserve(n) {
		m.giveUp(ReasonMemory)
		return false
	}
	m.reserved += n
	return true
}

// fits reports whether n more bytes of raw message are within the limit, and
// gives the message up if not.
func (m *message) fits(n int64) bool {
	if m.size()+n > m.limit {
		m.giveUp(ReasonTooLarge)
		return false
	}
	return true
}

// size is that of the raw message in bytes, as far as it is kept, with the line
// between header and body.
func (m *message) size() int64 { return m.headerSize + 2 + m.body.size }

// addRecipient adds to the envelope. Recipients count towards the memory, not
// towards the size of the message.
func (m *message) addRecipient(address string) {
	if m.progress != inEnvelope {
		m.giveUp(ReasonOutOfOrder)
	}
	if m.unread == "" && m.take(int64(len(address))+recipientCost) {
		m.env.Recipients = append(m.env.Recipients, address)
	}
}

// addField adds a header field; value begins with the space after the colon.
func (m *message) addField(name, value string) {
	if m.progress != inEnvelope && m.progress != inHeader {
		m.giveUp(ReasonOutOfOrder)
	}
	m.progress = inHeader
	f := field{name, value}
	size := f.size()
	if m.unread != "" || !m.fits(size) || !m.take(size+fieldCost) {
		return
	}
	if m.fields == nil {
		m.fields = make([]field, 0, usualFields)
	}
	m.fields = append(m.fields, f)
	m.headerSize += size
	m.odd = m.odd || f.odd()
}

// endHeader notes the end of the header.
func (m *message) endHeader() {
	if m.progress != inEnvelope && m.progress != inHeader {
		m.giveUp(ReasonOutOfOrder)
	}
	m.progress = inBody
}

// addBody adds a chunk of the body, which must not change afterwards.
func (m *message) addBody(chunk []byte) {
	if m.progress != inBody {
		m.giveUp(ReasonOutOfOrder)
	}
	if m.unread != "" {
		return
	}
	// What is behind the limit must not hide what stands before it.
	if room := m.limit - m.size(); int64(len(chunk)) > room {
		m.beyond += int64(len(chunk)) - room
		m.env.Truncated = true
		chunk = chunk[:room]
	}
	m.body.write(chunk, m.take)
}

// enough reports whether no more of the body is of use.
func (m *message) enough() bool { return m.unread != "" || m.env.Truncated }

// raw appends the message to dst as it went over the wire: each field as
// `name:value CRLF`, an empty line, the body as received. It reserves its size
// twice, for itself and for what the filter will make of it, gives the
// body's blocks back, and reports false where memory is short.
func (m *message) raw(dst []byte) ([]byte, bool) {
	size := m.size()
	if !m.take(2 * size) {
		return dst, false
	}
	dst = slices.Grow(dst, int(size))
	for _, f := range m.fields {
		dst = f.appendTo(dst)
	}
	dst = append(dst, '\r', '\n')
	dst = m.body.appendTo(dst)
	m.body = body{size: m.body.size}
	return dst, true
}

// size is that of the field in the raw message: the colon and the line end,
// and a CR for each LF that has none.
func (f field) size() int64 {
	n := len(f.name) + 1 + len(f.value) + 2
	if strings.IndexByte(f.value, '\n') >= 0 {
		n += strings.Count(f.value, "\n") - strings.Count(f.value, "\r\n")
	}
	return int64(n)
}

// appendTo appends the field as it stands in the raw message.
func (f field) appendTo(dst []byte) []byte {
	dst = append(dst, f.name...)
	dst = append(dst, ':')
	rest := f.value
	for {
		line, after, found := strings.Cut(rest, "\n")
		dst = append(dst, line...)
		if !found {
			break
		}
		if !bytes.HasSuffix(dst, []byte{'\r'}) {
			dst = append(dst, '\r')
		}
		dst = append(dst, '\n')
		rest = after
	}
	return append(dst, '\r', '\n')
}

// odd reports whether the field, written into a message, would be read as
// something else than one field of that name (RFC 5322 §2.2): then positions
// in the raw header are not those the MTA counts.
func (f field) odd() bool {
	for i := range len(f.name) {
		if c := f.name[i]; c <= ' ' || c >= 0x7f || c == ':' {
			return true
		}
	}
	for rest := f.value; ; {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return false
		}
		if after == "" || after[0] != ' ' && after[0] != '\t' {
			return true
		}
		rest = after
	}
}
