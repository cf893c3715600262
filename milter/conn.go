package milter

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	gomilter "github.com/emersion/go-milter"
)

const (
	connBuffer = 8 << 10 // of each direction: macros and header fields come in bursts
	// keptBuffer is how much of a packet buffer a connection keeps between
	// messages; most connections are idle most of the time.
	keptBuffer = 16 << 10
	// bodyPacket is the size of the largest ordinary packet with its length.
	// For longer ones memory is only taken as the bytes arrive.
	bodyPacket = 4 + 1 + gomilter.MaxBodyChunk
)

// phase is where in the protocol a connection is.
type phase uint8

const (
	phaseStart    phase = iota // nothing received yet
	phaseIdle                  // no message in hand
	phaseEnvelope              // MAIL received
	phaseContent               // header or body received
)

// conn stands between go-milter and the socket. To the library it is a
// connection that delivers complete, checked packets and then io.EOF,
// whatever happened, and on which every write succeeds: so the library has no
// reason to log, and the true reason is kept in failure. Reads and writes are
// those of one goroutine, the library's; close and drain may come from others.
type conn struct {
	net.Conn // the socket
	timeouts Timeouts
	in       *bufio.Reader
	out      *bufio.Writer // flushed before a read that waits
	quickAck func()        // or nil

	phase   phase
	current packet // the packet delivered last
	macros  macros // the macro packet that came just before it
	buf     []byte // the current packet with its length
	rest    []byte // what is left of buf to deliver
	failure error  // why the connection ended; nil, io.EOF: in order

	mu       sync.Mutex
	inHand   bool // from MAIL to the final reply or ABORT
	draining bool

	closeOnce sync.Once
	closed    chan struct{}
}

func newConn(c net.Conn, t Timeouts) *conn {
	w := &conn{Conn: c, timeouts: t, quickAck: quickAck(c), closed: make(chan struct{})}
	w.in = bufio.NewReaderSize(connSource{w}, connBuffer)
	w.out = bufio.NewWriterSize(connSink{w}, connBuffer)
	return w
}

// connSource reads from the socket; all replies are on their way before it
// waits.
type connSource struct{ c *conn }

func (s connSource) Read(p []byte) (int, error) {
	if err := s.c.out.Flush(); err != nil {
		return 0, err
	}
	if s.c.quickAck != nil {
		s.c.quickAck()
	}
	return s.c.Conn.Read(p)
}

// connSink writes to the socket, under a deadline.
type connSink struct{ c *conn }

func (s connSink) Write(p []byte) (int, error) {
	_ = s.c.SetWriteDeadline(time.Now().Add(s.c.timeouts.Write))
	n, err := s.c.Conn.Write(p)
	if err != nil {
		err = &protocolError{code: "write", detail: "reply not accepted", err: err}
	}
	return n, err
}

// Read delivers the packets, one after the other.
func (c *conn) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.failure != nil {
			return 0, io.EOF
		}
		if err := c.next(); err != nil {
			c.failure = err
			return 0, io.EOF
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Write buffers a reply. A write that fails shows in the next read.
func (c *conn) Write(p []byte) (int, error) {
	_, _ = c.out.Write(p)
	return len(p), nil
}

// Close sends what is still buffered and closes the socket. go-milter calls it
// once its session has ended.
func (c *conn) Close() error {
	var err error
	c.closeOnce.Do(func() {
		// At once over after a failed write, whose error bufio keeps.
		if err := c.out.Flush(); err != nil && (c.failure == nil || c.failure == io.EOF) {
			c.failure = err
		}
		err = c.Conn.Close()
		close(c.closed)
	})
	return err
}

// next reads the next packet that go-milter shall see. io.EOF: the connection
// ended in order.
func (c *conn) next() error {
	for {
		if err := c.finish(); err != nil {
			return err
		}
		if err := c.readPacket(); err != nil {
			return err
		}
		if err := c.current.check(); err != nil {
			return err
		}
		switch c.current.code {
		case codeUnknown:
			// go-milter would close the connection.
			_, _ = c.out.Write([]byte{0, 0, 0, 1, byte(gomilter.ActContinue)})
			continue
		case gomilter.CodeQuitNewConn:
			return io.EOF
		}
		return c.note()
	}
}

// note keeps what later packets need to know of this one.
func (c *conn) note() error {
	switch c.current.code {
	case gomilter.CodeMacro:
		// The packet's buffer is used again before the macros are.
		c.macros = macros{stage: gomilter.Code(c.current.data[0]), data: append(c.macros.data[:0], c.current.data[1:]...)}
	case gomilter.CodeMail:
		c.phase = phaseEnvelope
		return c.hold()
	case gomilter.CodeHeader, gomilter.CodeEOH, gomilter.CodeBody:
		if c.phase == phaseEnvelope {
			c.phase = phaseContent
		}
	}
	return nil
}

// finish comes after go-milter has handled the current packet and its reply is
// in the buffer.
func (c *conn) finish() error {
	if c.current.code != gomilter.CodeMacro {
		c.macros.stage = 0
	}
	switch c.current.code {
	case gomilter.CodeOptNeg:
		c.phase = phaseIdle
	case gomilter.CodeEOB, gomilter.CodeAbort:
		c.phase = phaseIdle
		if cap(c.buf) > keptBuffer {
			c.buf = nil
		}
		return c.release()
	}
	return nil
}

// readPacket reads one packet into current and makes it the next to be
// delivered.
func (c *conn) readPacket() error {
	if err := c.await(); err != nil {
		return err
	}
	timed := c.deadline(4, c.timeouts.Packet)
	head, err := c.in.Peek(4)
	if err != nil {
		return truncated(err)
	}
	n, err := packetLength(head)
	if err != nil {
		return err
	}
	if !timed {
		c.deadline(4+n, c.timeouts.Packet)
	}
	if err := c.fill(4 + n); err != nil {
		return truncated(err)
	}
	c.current = packet{code: gomilter.Code(c.buf[4]), data: c.buf[5:]}
	c.rest = c.buf
	return nil
}

// await waits for the first byte of a packet.
func (c *conn) await() error {
	wait := c.timeouts.Idle
	switch c.phase {
	case phaseStart:
		wait = c.timeouts.Packet
	case phaseContent:
		wait = c.timeouts.Content
	}
	c.deadline(1, wait)
	_, err := c.in.Peek(1)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF) && c.phase <= phaseIdle:
		return io.EOF
	case errors.Is(err, io.EOF):
		return &protocolError{code: "dropped", detail: "the MTA closed the connection during a message"}
	}
	return readError(err)
}

// deadline gives the read of n bytes at most d, if they are not there yet, and
// reports whether they are not. Setting it only fails on a closed socket, which
// the read will find as well.
func (c *conn) deadline(n int, d time.Duration) bool {
	if c.in.Buffered() >= n {
		return false
	}
	_ = c.SetReadDeadline(time.Now().Add(d))
	return true
}

// fill reads n bytes into buf, which grows with what arrives, not with what a
// length claims.
func (c *conn) fill(n int) error {
	c.buf = c.buf[:0]
	for len(c.buf) < n {
		have := len(c.buf)
		step := min(n-have, max(have, bodyPacket))
		c.buf = slices.Grow(c.buf, step)[:have+step]
		if _, err := io.ReadFull(c.in, c.buf[have:]); err != nil {
			return err
		}
	}
	return nil
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &protocolError{code: "truncated", detail: "the connection ended within a packet"}
	}
	return readError(err)
}

func readError(err error) error {
	if failed := (*protocolError)(nil); errors.As(err, &failed) {
		return err // a write that preceded the read
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &protocolError{code: "timeout", detail: "the MTA was silent for too long"}
	}
	return &protocolError{code: "read", detail: "connection lost", err: err}
}

// hold marks a message as in hand, or refuses it while draining.
func (c *conn) hold() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.draining && !c.inHand {
		return io.EOF
	}
	c.inHand = true
	return nil
}

// release marks the message as done with. While draining, the connection ends
// here; its last reply is still sent.
func (c *conn) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inHand = false
	if c.draining {
		return io.EOF
	}
	return nil
}

// drain ends the connection as soon as it has no message in hand.
func (c *conn) drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.draining = true
	if !c.inHand {
		// The reader wakes up and ends in order.
		_ = c.Conn.Close()
	}
}

// isDraining reports whether drain was called.
func (c *conn) isDraining() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.draining
}
