// Package hostile makes what a peer of the milter protocol sends that is broken,
// ill-willed, or no mail server at all: byte streams for tests. It knows the protocol's
// frames and shares no code with the server.
package hostile

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Frame is a packet as it goes over the wire: its length, a command and the data.
func Frame(command byte, data ...string) []byte {
	text := strings.Join(data, "")
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(text)+1)), command), text...)
}

// Numbers are the data of an option negotiation: 32 bits each.
func Numbers(n ...uint32) string {
	var b []byte
	for _, v := range n {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return string(b)
}

// Offer is the first packet of a mail server that offers all actions and all options of
// version 6.
func Offer() []byte { return Frame('O', Numbers(6, 0x1ff, 0x1fffff)) }

// After returns packets behind the negotiation.
func After(packets ...[]byte) []byte { return slices.Concat(append([][]byte{Offer()}, packets...)...) }

// InMessage returns packets behind the envelope of a message.
func InMessage(packets ...[]byte) []byte {
	envelope := After(
		Frame('D', "Cj\x00mx\x00"), Frame('C', "c.example\x004\x30\x39192.0.2.7\x00"),
		Frame('H', "c.example\x00"), Frame('M', "<a@example.org>\x00"), Frame('R', "<b@example.com>\x00"),
	)
	return slices.Concat(append([][]byte{envelope}, packets...)...)
}

// A Stream is all that a peer sends.
type Stream struct {
	Name  string
	Bytes []byte
	// Reason is what the server gives for closing the connection.
	Reason string
	// Cut: the peer closes the connection after the last byte. Otherwise it waits
	// for the server to do so.
	Cut bool
}

// Malformed returns streams that break the protocol.
func Malformed() []Stream {
	return []Stream{
		{"garbage", []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "malformed", false},
		{"TLS", []byte("\x16\x03\x01\x02\x00\x01\x00\x01\xfc"), "malformed", false},
		{"zero length first", []byte("\x00\x00\x00\x00"), "malformed", false},
		{"giant length first", []byte("\xff\xff\xff\xffO"), "malformed", false},
		{"length above the limit", After([]byte("\x00\x10\x00\x01B")), "malformed", false},
		{"no negotiation", Frame('C', "h\x00U"), "malformed", false},
		{"macros before the negotiation", Frame('D', "Cj\x00mx\x00"), "malformed", false},
		{"quit before the negotiation", Frame('Q'), "malformed", false},
		{"empty negotiation", Frame('O'), "malformed", false},
		{"short negotiation", Frame('O', Numbers(6, 1)), "malformed", false},
		{"version 1", Frame('O', Numbers(1, 1, 0)), "version", false},
		{"version 0", Frame('O', Numbers(0, 1, 0)), "version", false},
		{"negotiated twice", After(Offer()), "malformed", false},
		{"zero length", After([]byte("\x00\x00\x00\x00")), "malformed", false},
		{"zero length in a message", InMessage([]byte("\x00\x00\x00\x00")), "malformed", false},
		{"giant length in a body", InMessage(Frame('N'), []byte("\x7f\xff\xff\xffB")), "malformed", false},
		{"unknown command", After(Frame('X', "x")), "malformed", false},
		{"command NUL", After(Frame(0)), "malformed", false},
		{"reply as a command", InMessage(Frame('c')), "malformed", false},
		{"lower case", After(Frame('m', "<a@example.org>\x00")), "malformed", false},
		{"empty connect", After(Frame('C')), "malformed", false},
		{"connect without NUL", After(Frame('C', "host")), "malformed", false},
		{"connect without family", After(Frame('C', "host\x00")), "malformed", false},
		{"connect with unknown family", After(Frame('C', "host\x00Z\x00\x00x\x00")), "malformed", false},
		{"connect without port", After(Frame('C', "host\x004\x00")), "malformed", false},
		{"connect with unterminated address", After(Frame('C', "host\x004\x00\x19192.0.2.7")), "malformed", false},
		{"empty HELO", After(Frame('H')), "malformed", false},
		{"unterminated HELO", After(Frame('H', "x")), "malformed", false},
		{"empty MAIL", After(Frame('M')), "malformed", false},
		{"unterminated MAIL", After(Frame('M', "<a@example.org>\x00SIZE=1")), "malformed", false},
		{"unterminated RCPT", InMessage(Frame('R', "<b@example.com>")), "malformed", false},
		{"empty header field", InMessage(Frame('L')), "malformed", false},
		{"header field without value", InMessage(Frame('L', "Subject\x00")), "malformed", false},
		{"header field without name", InMessage(Frame('L', "\x00value\x00")), "malformed", false},
		{"header field of NULs", InMessage(Frame('L', "\x00\x00\x00")), "malformed", false},
		{"unterminated header field", InMessage(Frame('L', "Subject\x00value")), "malformed", false},
		{"header field with a surplus NUL", InMessage(Frame('L', "Subject\x00value\x00\x00")), "malformed", false},
		{"header field with a NUL inside", InMessage(Frame('L', "Subject\x00va\x00lue\x00")), "malformed", false},
		{"macros for nothing", After(Frame('D')), "malformed", false},
		{"unterminated macro", After(Frame('D', "Cj\x00mx")), "malformed", false},
		{"cut in the first length", []byte("\x00\x00"), "truncated", true},
		{"cut in the negotiation", Offer()[:9], "truncated", true},
		{"cut after a length", After([]byte("\x00\x00\x00\x05")), "truncated", true},
		{"cut in macros", After(Frame('D', "Cj\x00mx\x00")[:7]), "truncated", true},
		{"cut in connect", After(Frame('C', "h\x00U")[:6]), "truncated", true},
		{"cut in HELO", After(Frame('H', "x\x00")[:6]), "truncated", true},
		{"cut in MAIL", After(Frame('M', "<a@example.org>\x00")[:9]), "truncated", true},
		{"cut in RCPT", InMessage(Frame('R', "<b@example.com>\x00")[:9]), "truncated", true},
		{"cut in a header field", InMessage(Frame('L', "Subject\x00 x\x00")[:9]), "truncated", true},
		{"cut in the end of the header", InMessage(Frame('N')[:4]), "truncated", true},
		{"cut in the body", InMessage(Frame('N'), Frame('B', strings.Repeat("x", 200_000))[:150_000]), "truncated", true},
		{"cut in the end of the body", InMessage(Frame('N'), Frame('E')[:2]), "truncated", true},
		{"closed after MAIL", InMessage(), "dropped", true},
		{"closed in a header", InMessage(Frame('L', "Subject\x00 x\x00")), "dropped", true},
		{"closed after the header", InMessage(Frame('N')), "dropped", true},
		{"closed in a body", InMessage(Frame('N'), Frame('B', "x")), "dropped", true},
	}
}

// Disordered returns streams of good packets in an order that makes no message. The
// server accepts what is sent as one, unread, and goes on.
func Disordered() []Stream {
	header := Frame('L', "Subject\x00 x\x00")
	return []Stream{
		{Name: "end of message alone", Bytes: After(Frame('E'))},
		{Name: "body alone", Bytes: After(Frame('B', "x"), Frame('E'))},
		{Name: "header alone", Bytes: After(header, Frame('N'), Frame('B', "x"), Frame('E'))},
		{Name: "recipient before sender", Bytes: After(Frame('R', "<b@example.com>\x00"), header, Frame('N'), Frame('E'))},
		{Name: "body before the header", Bytes: InMessage(Frame('B', "x"), header, Frame('N'), Frame('E'))},
		{Name: "body without the end of the header", Bytes: InMessage(header, Frame('B', "x"), Frame('E'))},
		{Name: "no end of the header", Bytes: InMessage(header, Frame('E'))},
		{Name: "header after the body", Bytes: InMessage(header, Frame('N'), Frame('B', "x"), header, Frame('E'))},
		{Name: "recipient after the header", Bytes: InMessage(header, Frame('R', "<c@example.com>\x00"), Frame('N'), Frame('E'))},
		{Name: "header ended twice", Bytes: InMessage(header, Frame('N'), Frame('N'), Frame('E'))},
	}
}
