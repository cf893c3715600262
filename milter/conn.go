package milter

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"

	gomilter "github.com/emersion/go-milter"
)

// phase is where in the protocol a connection is.
type phase uint8

const (
	phaseStart    phase = iota // nothing received yet
	phaseIdle                  // no message in hand
	phaseEnvelope              // MAIL received
	phaseContent               // header or body received
)

// conn is what go-milter takes for the connection: it delivers complete, checked
// packets and then io.EOF, whatever happened, and every write succeeds. So the
// library has no reason to log, and the true reason is kept in failure.
//
// Reads and writes are those of one goroutine, the library's. Where that one is
// kept too long by the filter, supersede takes the link away from it and gives
// it to another conn, which goes on in its place.
type conn struct {
	net.Conn // the socket, for its addresses; all else goes through link
	link     *link

	phase   phase
	current packet // the packet delivered last
	macros  macros // the macro packet that came just before it
	rest    []byte // what is left of the packet to deliver
	failure error  // why the connection ended; nil, io.EOF: in order

	mu       sync.Mutex
	inHand   bool // from MAIL to the final reply or ABORT
	draining bool // ends after the message in hand
	next     atomic.Pointer[conn]

	closeOnce sync.Once
	closed    chan struct{} // closed when the library has nothing to read any more
}

func newConn(socket net.Conn, t Timeouts) *conn {
	return &conn{Conn: socket, link: newLink(socket, t), closed: make(chan struct{})}
}

// Read delivers the packets, one after the other.
func (c *conn) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.failure != nil || c.successor() != nil {
			return 0, io.EOF
		}
		if err := c.advance(); err != nil {
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
	if c.successor() == nil {
		_, _ = c.link.out.Write(p)
	}
	return len(p), nil
}

// Close sends what is still buffered and closes the socket. go-milter calls it
// once its session has ended.
func (c *conn) Close() error {
	var err error
	c.closeOnce.Do(func() {
		// At once over after a failed write, whose error bufio keeps.
		if err := c.link.out.Flush(); err != nil && !failed(c.failure) {
			c.failure = err
		}
		err = c.link.close()
		close(c.closed)
	})
	return err
}

// receive reads one packet into current and makes it the next to be delivered.
func (c *conn) receive() error {
	wait := c.link.timeouts.Idle
	switch c.phase {
	case phaseStart:
		wait = c.link.timeouts.Packet
	case phaseContent:
		wait = c.link.timeouts.Content
	}
	data, err := c.link.readPacket(wait)
	if errors.Is(err, io.EOF) && c.phase > phaseIdle {
		return &protocolError{code: "dropped", detail: "the MTA closed the connection during a message"}
	}
	if err != nil {
		return err
	}
	c.current = packet{code: gomilter.Code(data[4]), data: data[5:]}
	c.rest = data
	return nil
}

// advance reads the next packet that go-milter shall see. io.EOF: the
// connection ended in order.
func (c *conn) advance() error {
	for {
		if err := c.finish(); err != nil {
			return err
		}
		if err := c.receive(); err != nil {
			return err
		}
		if err := c.current.check(); err != nil {
			return err
		}
		switch c.current.code {
		case codeUnknown:
			// go-milter would close the connection.
			_, _ = c.link.out.Write(continuePacket)
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
		c.link.trim()
		return c.release()
	}
	return nil
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

// Cut ends the connection at once.
func (c *conn) Cut() { _ = c.link.close() }

// Drain ends the connection as soon as it has no message in hand.
func (c *conn) Drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.draining = true
	if !c.inHand && c.successor() == nil {
		// The reader wakes up and ends in order.
		_ = c.link.close()
	}
}

// isDraining reports whether Drain was called.
func (c *conn) isDraining() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.draining
}

// supersede makes another conn go on after the message in hand, to which it
// replies accept. It must be called while the library's goroutine is in a
// callback that uses the connection no more.
func (c *conn) supersede() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next.Store(&conn{
		Conn:     c.Conn,
		link:     c.link,
		phase:    phaseIdle,
		current:  packet{code: gomilter.CodeEOB},
		inHand:   c.inHand,
		draining: c.draining,
		closed:   make(chan struct{}),
	})
	_, _ = c.link.out.Write(acceptPacket)
	// When the callback returns, the library shall neither read nor close.
	c.closeOnce.Do(func() { close(c.closed) })
}

// successor returns the conn that has superseded this one, or nil.
func (c *conn) successor() *conn { return c.next.Load() }

// Replies that are not the library's.
var (
	continuePacket = []byte{0, 0, 0, 1, byte(gomilter.ActContinue)}
	acceptPacket   = []byte{0, 0, 0, 1, byte(gomilter.ActAccept)}
)
