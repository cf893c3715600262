package milter

import (
	"encoding/binary"

	gomilter "github.com/emersion/go-milter"
)

// send buffers a packet: a modification of the message, or a reply. The library
// would send the same, but takes a buffer of 4 KB for each packet, and copies a body
// three times to turn its CRLF into LF, while MTAs take both.
func (c *conn) send(code byte, data ...[]byte) {
	size := 1
	for _, piece := range data {
		size += len(piece)
	}
	_, _ = c.write(append(number(size), code))
	for _, piece := range data {
		_, _ = c.write(piece)
	}
}

// modify buffers a modification of the message.
func (c *conn) modify(code gomilter.ModifyActCode, data ...[]byte) { c.send(byte(code), data...) }

// reply buffers a reply, if there is one. It returns none, so that the library does
// not send it again.
func (c *conn) reply(r gomilter.Response) (none gomilter.Response) {
	if r != nil {
		packet := r.Response()
		c.send(packet.Code, packet.Data)
	}
	return nil
}

// number returns a number in the form of the protocol: four bytes, the highest first.
func number(n int) []byte {
	return binary.BigEndian.AppendUint32(make([]byte, 0, 5), uint32(n))
}

// cString returns a text in the form of the protocol, which ends with a NUL.
func cString(s string) []byte { return append([]byte(s), 0) }
