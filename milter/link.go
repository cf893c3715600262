package milter

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/stream"
)

const (
	linkBuffer = 8 << 10 // for reading: macros and header fields come in bursts
	// bodyPacket is the size of the largest ordinary packet with its length.
	// For longer ones memory is only taken as the bytes arrive.
	bodyPacket = 4 + 1 + gomilter.MaxBodyChunk
)

// link is the socket of a connection: it reads whole packets and writes collected replies, both
// under deadlines. One goroutine at a time uses it; only close may be called from another one.
type link struct {
	socket   net.Conn
	timeouts Timeouts
	in       *bufio.Reader
	out      replies // flushed before a read that waits
	quickAck func()  // or nil
	packet   []byte  // the last packet with its length
}

func newLink(socket net.Conn, t Timeouts) *link {
	l := &link{socket: socket, timeouts: t, quickAck: quickAck(socket)}
	l.in = bufio.NewReaderSize(stream.Reader(l.read), linkBuffer)
	l.out.send = l.write
	return l
}

// read reads from the socket, after it sent all replies.
func (l *link) read(p []byte) (int, error) {
	if err := l.out.flush(); err != nil {
		return 0, err
	}
	if l.quickAck != nil {
		l.quickAck()
	}
	return l.socket.Read(p)
}

// replies collects replies of any length for one write. If linkmilter is killed, some MTAs accept
// the message with the edits that they have received, so these must not be half of the edits.
type replies struct {
	send func([]byte) error
	buf  []byte
	err  error // the error of the first failed write; no other write is tried after it
}

// add adds to the replies.
func (r *replies) add(p []byte) {
	if r.buf == nil {
		r.buf = takeBuffer()
	}
	if r.err == nil {
		r.buf = append(r.buf, p...)
	}
}

// flush sends the replies.
func (r *replies) flush() error {
	if r.err != nil || len(r.buf) == 0 {
		return r.err
	}
	r.err = r.send(r.buf)
	returnBuffer(r.buf)
	r.buf = nil
	return r.err
}

// write writes to the socket, under a deadline.
func (l *link) write(p []byte) error {
	// Setting a deadline fails only on a closed socket, and then the write fails, too. The same
	// holds for reads.
	_ = l.socket.SetWriteDeadline(time.Now().Add(l.timeouts.write))
	if _, err := l.socket.Write(p); err != nil {
		return &mailserver.Failure{Code: "write", Detail: "reply not accepted", Err: err}
	}
	return nil
}

// close closes the socket at once; a read or write that waits returns.
func (l *link) close() error { return l.socket.Close() }

// readPacket reads one packet. Its first byte may take as long as wait. It returns the packet with
// its length, valid until the next call. The error is io.EOF if the connection ended before a
// packet, and otherwise a *mailserver.Failure.
func (l *link) readPacket(wait time.Duration) ([]byte, error) {
	l.deadline(1, wait)
	if _, err := l.in.Peek(1); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, readError(err)
	}
	timed := l.deadline(4, l.timeouts.packet)
	head, err := l.in.Peek(4)
	if err != nil {
		return nil, readError(err)
	}
	n, err := packetLength(head)
	if err != nil {
		return nil, err
	}
	if !timed {
		l.deadline(4+n, l.timeouts.packet)
	}
	if err := l.fill(4 + n); err != nil {
		return nil, readError(err)
	}
	return l.packet, nil
}

// deadline reports whether n bytes still have to be read. If so, it limits the time for that to d.
func (l *link) deadline(n int, d time.Duration) bool {
	if l.in.Buffered() >= n {
		return false
	}
	_ = l.socket.SetReadDeadline(time.Now().Add(d))
	return true
}

// fill reads n bytes into packet, which grows with what arrives, not with what
// a length claims.
func (l *link) fill(n int) error {
	if l.packet == nil {
		l.packet = takeBuffer()
	}
	l.packet = l.packet[:0]
	for len(l.packet) < n {
		have := len(l.packet)
		step := min(n-have, max(have, bodyPacket))
		l.packet = slices.Grow(l.packet, step)[:have+step]
		if _, err := io.ReadFull(l.in, l.packet[have:]); err != nil {
			return err
		}
	}
	return nil
}

// trim releases the memory of the packet.
func (l *link) trim() {
	returnBuffer(l.packet)
	l.packet = nil
}

// readError turns an error within a packet into a *mailserver.Failure.
func readError(err error) error {
	if failure := (*mailserver.Failure)(nil); errors.As(err, &failure) {
		return err // the error of a write before the read
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &mailserver.Failure{Code: "truncated", Detail: "the connection ended within a packet"}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &mailserver.Failure{Code: "timeout", Detail: "the MTA was silent for too long"}
	}
	return &mailserver.Failure{Code: "read", Detail: "connection lost", Err: err}
}
