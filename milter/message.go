package milter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// progress says how much of a message has come.
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
	usualFields   = 16 // for how many fields room is made at first, and kept for the next message
	// headerRoom bounds in bytes the memory of the fields. It is many times the limit of MTAs.
	headerRoom = 16 << 20
	// freeRoom is how many bytes of each message are kept even if no memory is left.
	freeRoom = 64 << 10
)

// message is the open message, as far as it came.
type message struct {
	limit    int64 // Limits.MaxMessage
	budget   *mailserver.Budget
	reserved int64 // bytes reserved from budget

	env        envelope.Envelope
	progress   progress
	fields     []field
	headerSize int64 // bytes the fields take in the raw message
	body       body
	beyond     int64             // bytes of the body that were dropped because they are above the limit
	unread     mailserver.Reason // why nothing is kept, or ""
	short      mailserver.Reason // why the end is missing, or "" if everything was collected
	allowed    int64             // bytes that may be kept without memory of the budget
	odd        bool              // some field would be read differently in the raw message
}

// newMessage returns an empty message. fields is a buffer for its header, or nil.
func newMessage(budget *mailserver.Budget, fields []field) message {
	return message{limit: budget.Limits().MaxMessage, budget: budget, fields: fields, allowed: freeRoom}
}

// giveUp drops the collected message and its rest, so that the message goes on unchanged. The first
// reason stays.
func (m *message) giveUp(reason mailserver.Reason) {
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

// take reserves n bytes for the message, or ends it here if the memory is exhausted. The
// first freeRoom bytes need no reservation.
func (m *message) take(n int64) bool {
	switch {
	case m.budget.Reserve(n):
		m.reserved += n
	case n <= m.allowed:
		m.allowed -= n
	default:
		m.cutShort(mailserver.ReasonMemory)
		return false
	}
	return true
}

// cutShort ends the header, or the whole message, here: the filter judges the collected
// part. The first reason stays.
func (m *message) cutShort(reason mailserver.Reason) {
	m.env.Truncated = true
	m.short = cmp.Or(m.short, reason)
}

// fits reports whether a field of n bytes is within the limits, and ends the header if
// not.
func (m *message) fits(n int64) bool {
	if m.size()+n > m.limit || m.headerSize+n+fieldCost*int64(len(m.fields)+1) > headerRoom {
		m.cutShort(mailserver.ReasonTooLarge)
	}
	return m.short == ""
}

// size is the kept size of the raw message in bytes, with the line
// between header and body.
func (m *message) size() int64 { return m.headerSize + 2 + m.body.size }

// addRecipient adds to the envelope. Recipients count towards the memory, not
// towards the size of the message.
func (m *message) addRecipient(address string) {
	if m.progress != inEnvelope {
		m.giveUp(mailserver.ReasonOutOfOrder)
	}
	if m.unread == "" && m.short == "" && m.take(int64(len(address))+recipientCost) {
		m.env.Recipients = append(m.env.Recipients, address)
	}
}

// addField adds a header field; value begins with the space after the colon.
func (m *message) addField(name, value string) {
	if m.progress != inEnvelope && m.progress != inHeader {
		m.giveUp(mailserver.ReasonOutOfOrder)
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

// endHeader records the end of the header.
func (m *message) endHeader() {
	if m.progress != inEnvelope && m.progress != inHeader {
		m.giveUp(mailserver.ReasonOutOfOrder)
	}
	m.progress = inBody
}

// addBody adds a chunk of the body, which must not change afterwards.
func (m *message) addBody(chunk []byte) {
	if m.progress != inBody {
		m.giveUp(mailserver.ReasonOutOfOrder)
	}
	if m.unread != "" {
		return
	}
	// Bytes beyond the limit must not hide those before it.
	all := int64(len(chunk))
	if room := max(m.limit-m.size(), 0); all > room {
		m.env.Truncated = true
		chunk = chunk[:room]
	}
	kept := m.body.size
	if m.short != mailserver.ReasonMemory {
		m.body.write(chunk, m.take)
	}
	m.beyond += all - (m.body.size - kept)
}

// enough reports whether the filter needs no more of the body.
func (m *message) enough() bool {
	return m.unread != "" || m.beyond > 0 || m.short == mailserver.ReasonMemory
}

// raw appends the message to dst as it went over the wire: each field as `name:value CRLF`, an
// empty line, the body as received, up to limit bytes or the end of the header. After that it
// releases the blocks of the body.
func (m *message) raw(dst []byte, limit int64) []byte {
	dst = slices.Grow(dst, int(m.size()))
	for _, f := range m.fields {
		dst = f.appendTo(dst)
	}
	dst = append(dst, '\r', '\n')
	header := int64(len(dst))
	dst = m.body.appendTo(dst)
	m.body = body{size: m.body.size}
	if end := max(header, limit); end < int64(len(dst)) {
		m.cutShort(mailserver.ReasonMemory)
		dst = dst[:end:end]
	}
	return dst
}

// size returns the size of the field in the raw message: the colon and the line end, and a CR for
// each LF that has none.
func (f field) size() int64 {
	n := len(f.name) + 1 + len(f.value) + 2
	if strings.IndexByte(f.value, '\n') >= 0 {
		n += strings.Count(f.value, "\n") - strings.Count(f.value, "\r\n")
	}
	return int64(n)
}

// appendTo appends the field as the raw message has it.
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

// odd reports whether readers of the raw message would not see exactly one field of that
// name (RFC 5322 §2.2). Then the positions in the raw header differ from those that the
// MTA counts.
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
