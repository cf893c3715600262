package contentfilter

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// conn is the connection that go-smtp gets. It delivers one command line at a time, and collects
// the reply. If another reply than the library's is right, replace has the bytes that the client
// gets instead. One goroutine uses it.
type conn struct {
	socket   net.Conn // the connection as it was accepted, for its addresses; all else goes through wire
	wire     *wire
	name     string // name of this host
	greeting reply
	handler  handler

	command command
	rest    []byte // the rest of the command that is still to be delivered
	library []byte // the library's reply to the command
	replace []byte // the reply that the client gets instead, if not nil
	failure error  // why the connection ended; nil or io.EOF after an orderly end
	goodbye bool   // the connection ends after this reply
	hidden  bool   // the content of a message was read, so the library gets an empty one

	over   bool          // close was called
	closed chan struct{} // closed when close was called
}

// forLibrary returns the connection that go-smtp gets.
func (c *conn) forLibrary() net.Conn {
	return &mailserver.LibraryConn{Conn: c.socket, OnRead: c.read, OnWrite: c.write, OnClose: c.close}
}

// handler gets the client's commands from a conn.
type handler interface {
	// own answers a command that is not for go-smtp, and reports whether it is one.
	own(c command) bool
	// introduced answers EHLO, LHLO or HELO, which go-smtp has accepted.
	introduced(c command)
	// panicked logs a panic.
	panicked(v any)
}

// read delivers the command lines, one after the other. A panic ends the connection, because
// go-smtp does not recover panics in Read.
func (c *conn) read(p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			c.panicked(v)
			c.command = command{}
			c.reply(newReply(421, "4.3.0", "Internal error, try again later"))
			n, err = 0, io.EOF
		}
	}()
	if c.over {
		return 0, io.EOF
	}
	if len(c.rest) == 0 {
		if c.hidden {
			c.hidden = false
			c.rest = []byte(".\r\n")
		} else if err := c.advance(); err != nil {
			if c.failure == nil {
				c.failure = err
			}
			return 0, io.EOF
		}
	}
	n = copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// panicked logs a panic, which ends the connection.
func (c *conn) panicked(v any) {
	c.handler.panicked(v)
	c.failure = &mailserver.Failure{Code: string(mailserver.ReasonPanic), Err: errors.New("panic")}
}

// logged receives the log lines of go-smtp. They report panics in callbacks, which go-smtp
// recovers, and errors of connections, which this package logs itself.
func (c *conn) logged(format string, args ...any) {
	if strings.HasPrefix(format, "panic") && len(args) > 1 {
		c.panicked(args[1])
	}
}

// write collects the library's reply.
func (c *conn) write(p []byte) (int, error) {
	c.library = append(c.library, p...)
	return len(p), nil
}

// close sends the replies that are still to be sent and closes the socket. The
// library calls it after QUIT, after too many errors, and when it has read all.
func (c *conn) close() error {
	if c.over {
		return nil
	}
	c.over = true
	defer close(c.closed)
	c.settle()
	if err := c.wire.flush(); err != nil && !mailserver.Failed(c.failure) {
		c.failure = err
	}
	return c.wire.close()
}

// settle decides which reply the client gets to the command that the library has handled.
func (c *conn) settle() {
	switch c.command.verb {
	case "":
		if bytes.HasPrefix(c.library, []byte("220 ")) {
			c.replace = []byte(c.greeting.text)
		}
	case "EHLO", "LHLO", "HELO":
		if bytes.HasPrefix(c.library, []byte("250")) {
			c.handler.introduced(c.command)
		}
	}
	if c.replace != nil {
		c.library = c.replace
	}
	c.wire.out = append(c.wire.out, c.library...)
	c.library, c.replace = c.library[:0], nil
	c.command = command{}
}

// reply replaces the library's reply to the command. The code 421 ends the connection (RFC 5321
// §3.8).
func (c *conn) reply(replies ...reply) {
	c.replace = []byte{}
	for _, r := range replies {
		c.replace = append(c.replace, r.text...)
		c.goodbye = c.goodbye || r.code == 421
	}
}

// advance finishes a command and reads the next one that go-smtp shall see.
func (c *conn) advance() error {
	for {
		c.settle()
		if c.goodbye {
			return io.EOF
		}
		line, err := c.wire.readLine()
		if err != nil {
			return c.bye(err)
		}
		c.command = parseCommand(string(line[:len(line)-2]))
		if !c.handler.own(c.command) {
			c.rest = c.command.forLibrary(line, c.name)
			return nil
		}
	}
}

// bye replies to a client after an error in reading its next command, and returns why
// the connection ends.
func (c *conn) bye(err error) error {
	switch {
	case errors.Is(err, errLongLine):
		c.reply(newReply(500, "5.5.2", "Line too long"))
		return &mailserver.Failure{Code: "malformed", Err: err}
	case errors.Is(err, errBrokenLine):
		c.reply(newReply(500, "5.5.2", "Line with control characters, or without CR at its end"))
		return &mailserver.Failure{Code: "malformed", Err: err}
	case errors.Is(err, errDraining):
		c.reply(replyShutdown(c.name))
		return io.EOF
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.reply(newReply(421, "4.4.2", c.name+" timed out waiting for a command"))
		return &mailserver.Failure{Code: "timeout", Err: err}
	case errors.Is(err, io.EOF):
		return io.EOF
	}
	var known *mailserver.Failure
	if errors.As(err, &known) {
		return err
	}
	return &mailserver.Failure{Code: "read", Err: err}
}

// content lets deliver read the content of a message, after go-smtp answered 354, and sends the
// replies that deliver returns. The library then finds an empty message.
func (c *conn) content(content *dotReader, deliver func() []reply) {
	c.settle()
	c.hidden = true
	c.reply(deliver()...)
	if content.failed == nil {
		return
	}
	// The content is incomplete, so the client expects no reply. Drop the library's.
	c.replace = []byte{}
	if errors.Is(content.failed, os.ErrDeadlineExceeded) {
		c.reply(newReply(421, "4.4.2", c.name+" timed out waiting for the message"))
	}
	c.failure = contentError(content.failed)
	c.goodbye = true
}

// contentError returns why the content of a message ended early.
func contentError(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &mailserver.Failure{Code: "timeout", Err: err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &mailserver.Failure{Code: "dropped", Err: errors.New("the client closed the connection during a message")}
	}
	return &mailserver.Failure{Code: "read", Err: err}
}

// startTLS answers STARTTLS and encrypts the connection.
func (c *conn) startTLS(ctx context.Context, config *tls.Config) {
	c.replace = []byte{}
	c.wire.out = append(c.wire.out, newReply(220, "2.0.0", "Ready to start TLS").text...)
	if c.failure = c.wire.startTLS(ctx, config); c.failure != nil {
		c.goodbye = true
	}
}
