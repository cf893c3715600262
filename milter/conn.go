package milter

import (
	"errors"
	"io"
	"net"
	"sync"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// phase says where in the protocol a connection is.
type phase uint8

const (
	phaseStart    phase = iota // nothing received yet
	phaseIdle                  // between messages
	phaseEnvelope              // MAIL received
	phaseContent               // header or body received
)

// conn is the connection that go-milter gets: it delivers complete, checked
// packets and then io.EOF, whatever happened, and every write succeeds. So the
// library has no reason to log, and failure keeps the true reason.
//
// Only the library's goroutine uses it; drain and cut may be called from another one.
type conn struct {
	socket net.Conn // for its addresses; all else goes through link
	link   *link
	busy   mailserver.Busy // from MAIL to the final reply or ABORT

	phase   phase
	current packet // the last delivered packet
	macros  macros // the macro packet that came just before it
	rest    []byte // the part of the packet that is still to be delivered
	failure error  // why the connection ended; nil or io.EOF after an orderly end

	closeOnce sync.Once
	closed    chan struct{} // closed when close was called
}

func newConn(socket net.Conn, t Timeouts) *conn {
	return &conn{socket: socket, link: newLink(socket, t), closed: make(chan struct{})}
}

// negotiate reads the MTA's offer, replies to it and returns the part of it that is
// used. The library does not see the offer: it would answer version 2 to any MTA.
func (c *conn) negotiate() (grant, error) {
	if err := c.receive(); err != nil {
		return grant{}, err
	}
	g, err := negotiate(c.current)
	if err != nil {
		return grant{}, err
	}
	c.rest = nil
	c.link.out.add(g.packet())
	return g, nil
}

// run runs go-milter on the connection until that is closed, with a library server
// for this connection alone: the library's session state ends with each final
// reply, while CONNECT holds for all messages of the connection, and connections
// differ in their grants. milter gets all callbacks.
func (c *conn) run(g grant, milter gomilter.Milter) {
	library := gomilter.Server{
		NewMilter: func() gomilter.Milter { return milter },
		Actions:   g.actions,
		Protocol:  g.protocol,
	}
	// Serve always ends with the error of the second Accept, which means nothing.
	_ = library.Serve(&mailserver.Single{Conn: &mailserver.LibraryConn{
		Conn: c.socket, OnRead: c.read, OnWrite: c.write, OnClose: c.close,
	}, Closed: c.closed})
}

// read delivers the packets, one after the other.
func (c *conn) read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.failure != nil {
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

// write buffers a reply. A write that fails shows in the next read.
func (c *conn) write(p []byte) (int, error) {
	c.link.out.add(p)
	return len(p), nil
}

// close sends the replies that are still buffered and closes the socket. go-milter
// calls it once its session has ended.
func (c *conn) close() error {
	var err error
	c.closeOnce.Do(func() {
		// After a failed write the connection is over at once; the replies keep the error.
		if err := c.link.out.flush(); err != nil && !mailserver.Failed(c.failure) {
			c.failure = err
		}
		err = c.link.close()
		close(c.closed)
	})
	return err
}

// drain ends the connection as soon as it has no open message. The reader wakes
// up and ends in order.
func (c *conn) drain() { c.busy.Drain(c.cut) }

// cut ends the connection at once.
func (c *conn) cut() { _ = c.link.close() }

// receive reads one packet into current and makes it the next to be delivered.
func (c *conn) receive() error {
	wait := c.link.timeouts.Idle
	switch c.phase {
	case phaseStart:
		wait = c.link.timeouts.packet
	case phaseContent:
		wait = c.link.timeouts.Content
	}
	data, err := c.link.readPacket(wait)
	if errors.Is(err, io.EOF) && c.phase > phaseIdle {
		return &mailserver.Failure{Code: "dropped", Detail: "the MTA closed the connection during a message"}
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
			c.link.out.add(continuePacket)
			continue
		case gomilter.CodeQuitNewConn:
			return io.EOF
		}
		return c.note()
	}
}

// continuePacket is the reply to a command that the library does not know.
var continuePacket = []byte{0, 0, 0, 1, byte(gomilter.ActContinue)}

// note remembers the facts about this packet that later packets need.
func (c *conn) note() error {
	switch c.current.code {
	case gomilter.CodeMacro:
		// The macros are copied, because the packet's buffer is reused before they are read.
		c.macros = macros{stage: gomilter.Code(c.current.data[0]), data: append(c.macros.data[:0], c.current.data[1:]...)}
	case gomilter.CodeMail:
		c.phase = phaseEnvelope
		if !c.busy.Begin() {
			return io.EOF
		}
	case gomilter.CodeHeader, gomilter.CodeEOH, gomilter.CodeBody:
		if c.phase == phaseEnvelope {
			c.phase = phaseContent
		}
	}
	return nil
}

// finish is called after go-milter has handled the current packet and its reply is in the buffer. A
// connection that drains ends after a message; its last reply is still sent.
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
		if !c.busy.End() {
			return io.EOF
		}
	}
	return nil
}
