package contentfilter

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/internal/acceptor"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

const (
	// readBuffer is the size of the buffer for what the client sends.
	readBuffer = 16 << 10
	// maxCommand is the length of a command line in octets with its line end. RFC
	// 5321 §4.5.3.1.4 has 512, and every extension adds to it.
	maxCommand = 4 << 10
)

// conn is what go-smtp takes for the connection: it delivers one command line at a
// time, and gathers the reply. Where the reply is not the library's business, replace
// says what goes to the client instead. Replies leave before a read that waits, so
// that those to pipelined commands leave together.
//
// All of it is used by one goroutine, but for Drain and Cut.
type conn struct {
	net.Conn // the connection as it was accepted, for its addresses; all else goes through socket
	server   *Server
	session  *session

	mu       sync.Mutex
	socket   net.Conn // encrypted after STARTTLS
	draining bool
	inHand   bool // a message, from MAIL on

	in      *bufio.Reader
	command command
	rest    []byte // of the command, to be delivered
	library []byte // the library's reply to it
	replace []byte // what is sent in place of that, if not nil
	out     []byte // replies that are settled
	failure error  // why the connection ended; nil, io.EOF: in order
	goodbye bool   // the connection ends after this reply
	greeted bool   // the client has introduced itself, since STARTTLS
	hidden  bool   // the content of a message was read: the library gets an empty one

	over   bool          // Close was called
	closed chan struct{} // likewise
}

func newConn(socket net.Conn, s *Server, listener string) *conn {
	c := &conn{Conn: socket, socket: socket, server: s, closed: make(chan struct{})}
	c.in = bufio.NewReaderSize(connSource{c}, readBuffer)
	c.session = newSession(c, listener)
	return c
}

// serve serves the connection, which is in the acceptor's account, to its end.
func (c *conn) serve() {
	defer c.server.acceptor.Remove(c)
	defer func() {
		_ = c.Close()
		c.session.end()
	}()
	o := &c.server.options
	library := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return c.session, nil }))
	library.ErrorLog = libraryLog{c}
	library.Domain = o.Name
	library.LMTP = o.LMTP
	library.MaxRecipients = o.recipients()
	library.MaxLineLength = 0 // checked here; the library's limit would hold for messages too
	library.EnableSMTPUTF8 = true
	library.EnableDSN = true
	// The only error is that of the second Accept.
	_ = library.Serve(&acceptor.Single{Conn: c, Closed: c.closed})
	// Its goroutine may still look for another command.
	_ = library.Shutdown(context.Background())
	if failed(c.failure) {
		c.server.acceptor.CountBroken(failureCode(c.failure))
		c.session.log.Warn("connection closed", "reason", failureCode(c.failure), "error", outcome.Safe(c.failure.Error()), "client", c.RemoteAddr().String())
	}
}

// libraryLog takes what go-smtp logs: panics in callbacks, which end there, and
// errors of connections, which this package knows better.
type libraryLog struct{ c *conn }

func (l libraryLog) Printf(format string, args ...any) {
	if strings.HasPrefix(format, "panic") && len(args) > 1 {
		l.c.panicked(args[1])
	}
}
func (l libraryLog) Println(...any) {}

// connSource reads from the socket; all replies are on their way before it
// waits.
type connSource struct{ c *conn }

func (s connSource) Read(p []byte) (int, error) {
	if err := s.c.flush(); err != nil {
		return 0, err
	}
	return s.c.socket.Read(p)
}

// Read delivers the command lines, one after the other. A panic ends the
// connection: go-smtp does not catch those in here.
func (c *conn) Read(p []byte) (n int, err error) {
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
	c.session.logPanic(v, "")
	c.failure = &clientError{string(outcome.Panic), errors.New("panic")}
}

// Write gathers the library's reply.
func (c *conn) Write(p []byte) (int, error) {
	c.library = append(c.library, p...)
	return len(p), nil
}

// Close sends what is still to be sent and closes the socket. The library calls
// it after QUIT, after too many errors, and when it has read all.
func (c *conn) Close() error {
	if c.over {
		return nil
	}
	c.over = true
	defer close(c.closed)
	c.settle()
	if err := c.flush(); err != nil && !failed(c.failure) {
		c.failure = err
	}
	return c.socket.Close()
}

// settle decides what the client gets as the reply to the command that the
// library has handled.
func (c *conn) settle() {
	switch c.command.verb {
	case "":
		if bytes.HasPrefix(c.library, []byte("220 ")) {
			c.replace = []byte(c.greeting())
		}
	case "EHLO", "LHLO", "HELO":
		c.session.introduced(string(c.library))
	}
	if c.replace != nil {
		c.library = c.replace
	}
	c.out = append(c.out, c.library...)
	c.library, c.replace = c.library[:0], nil
	c.command = command{}
}

// greeting is what a client hears first. It holds a word by which the server knows
// itself, should it be its own next hop.
func (c *conn) greeting() string {
	o := &c.server.options
	protocol := "ESMTP"
	if o.LMTP {
		protocol = "LMTP"
	}
	return newReply(220, "", o.Name+" "+protocol+" linkmilter "+o.NextHop.self).text
}

// reply makes replies the answer to the command in hand. 421 ends the connection
// (RFC 5321 §3.8).
func (c *conn) reply(replies ...reply) {
	c.replace = []byte{}
	for _, r := range replies {
		c.replace = append(c.replace, r.text...)
		c.goodbye = c.goodbye || r.code == 421
	}
}

// flush sends the replies.
func (c *conn) flush() error {
	if len(c.out) == 0 {
		return nil
	}
	_ = c.socket.SetWriteDeadline(time.Now().Add(c.server.options.Timeouts.Write))
	_, err := c.socket.Write(c.out)
	c.out = c.out[:0]
	if err != nil {
		return &clientError{"write", err}
	}
	return nil
}

// advance finishes a command and reads the next one that go-smtp shall see.
func (c *conn) advance() error {
	for {
		c.settle()
		if c.goodbye {
			return io.EOF
		}
		line, err := c.readLine()
		if err != nil {
			return err
		}
		c.command = parseCommand(string(line[:len(line)-2]))
		if !c.own() {
			c.rest = c.libraryLine(line)
			return nil
		}
	}
}

// readLine reads a command line with its line end, valid until the next read. One
// that is too long or broken is answered, and ends the connection: what comes after
// it cannot be told apart from it.
func (c *conn) readLine() ([]byte, error) {
	if err := c.await(time.Now().Add(c.server.options.Timeouts.Command)); err != nil {
		return nil, c.bye(err)
	}
	line, err := c.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull), len(line) > maxCommand:
		c.reply(newReply(500, "5.5.2", "Line too long"))
		return nil, &clientError{"malformed", errors.New("line too long")}
	case err != nil:
		if len(line) > 0 && errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, c.bye(err)
	}
	if !properLine(line) {
		c.reply(newReply(500, "5.5.2", "Line with control characters, or without CR at its end"))
		return nil, &clientError{"malformed", errors.New("line with control characters, or without CR at its end")}
	}
	return line, nil
}

// properLine reports whether a line ends in CRLF and has no other control
// characters but tabs.
func properLine(line []byte) bool {
	n := len(line) - 2
	if n < 0 || line[n] != '\r' {
		return false
	}
	for _, b := range line[:n] {
		if b < ' ' && b != '\t' || b == 0x7f {
			return false
		}
	}
	return true
}

// bye answers a client that is silent for too long, or is to go since the server
// shuts down, and returns why the connection ends.
func (c *conn) bye(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.mu.Lock()
		draining := c.draining && !c.inHand
		c.mu.Unlock()
		if draining {
			err = errDraining
		}
	}
	switch {
	case errors.Is(err, errDraining):
		c.reply(newReply(421, "4.3.2", c.server.options.Name+" shutting down"))
		return io.EOF
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.reply(newReply(421, "4.4.2", c.server.options.Name+" timed out waiting for a command"))
		return &clientError{"timeout", err}
	case errors.Is(err, io.EOF):
		return io.EOF
	}
	var known *clientError
	if errors.As(err, &known) {
		return err
	}
	return &clientError{"read", err}
}

var errDraining = errors.New("shutting down")

// await sets the deadline for what is read next, unless the connection is to
// end.
func (c *conn) await(deadline time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.draining && !c.inHand {
		return errDraining
	}
	_ = c.socket.SetReadDeadline(deadline)
	return nil
}

// hold marks a message as in hand, or as done with.
func (c *conn) hold(inHand bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inHand = inHand
}

// Drain ends the connection as soon as it has no message in hand.
func (c *conn) Drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.draining = true
	if !c.inHand {
		// The reader wakes up, and finds out why.
		_ = c.socket.SetReadDeadline(time.Unix(1, 0))
	}
}

// Cut ends the connection, and that to the next hop, at once.
func (c *conn) Cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.socket.Close()
	c.session.cancel()
}

// content reads the content of a message, for which go-smtp has answered 354, and
// replies with what deliver makes of it. The library finds an empty message then.
func (c *conn) content(deliver func(*dotReader) []reply) {
	c.settle()
	c.hidden = true
	end := time.Now().Add(c.server.options.Timeouts.Message)
	r := &dotReader{in: c.in, more: func() error { return c.moreContent(end) }}
	c.reply(deliver(r)...)
	if r.failed == nil {
		return
	}
	// The client does not know that the message ended. The library has no
	// reply to this.
	c.replace = []byte{}
	if errors.Is(r.failed, os.ErrDeadlineExceeded) {
		c.reply(newReply(421, "4.4.2", c.server.options.Name+" timed out waiting for the message"))
	}
	c.failure = contentError(r.failed)
	c.goodbye = true
}

// contentError is why the content of a message ended early.
func contentError(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &clientError{"timeout", err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &clientError{"dropped", errors.New("the client closed the connection during a message")}
	}
	return &clientError{"read", err}
}

// moreContent waits until the client has sent more, at most until end, and keeps
// the next hop interested meanwhile.
func (c *conn) moreContent(end time.Time) error {
	deadline := time.Now().Add(c.server.options.Timeouts.Content)
	if end.Before(deadline) {
		deadline = end
	}
	for {
		now := time.Now()
		step := now.Add(c.server.options.NextHop.keepAlive)
		if deadline.Before(step) {
			step = deadline
		}
		if err := c.await(step); err != nil {
			return err
		}
		_, err := c.in.Peek(1)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded) && time.Now().Before(deadline):
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		c.session.keepHop()
		if err == nil {
			return nil
		}
	}
}

// startTLS encrypts the connection.
func (c *conn) startTLS() error {
	c.out = append(c.out, newReply(220, "2.0.0", "Ready to start TLS").text...)
	if c.in.Buffered() > 0 {
		// Whoever stands in between could have put it there (RFC 3207 §6).
		return &clientError{"malformed", errors.New("commands after STARTTLS")}
	}
	if err := c.flush(); err != nil {
		return err
	}
	encrypted := tls.Server(c.socket, c.server.options.TLS)
	_ = c.socket.SetDeadline(time.Now().Add(c.server.options.Timeouts.Command))
	if err := encrypted.HandshakeContext(c.server.ctx); err != nil {
		return &clientError{"tls", err}
	}
	c.mu.Lock()
	c.socket = encrypted
	c.mu.Unlock()
	c.in.Reset(connSource{c})
	return nil
}

// clientError is why the connection to a client ended out of order.
type clientError struct {
	code string // for the log
	err  error
}

func (e *clientError) Error() string { return e.err.Error() }
func (e *clientError) Unwrap() error { return e.err }

// failed reports whether a connection ended for another reason than that the
// client ended it in order.
func failed(err error) bool { return err != nil && !errors.Is(err, io.EOF) }

// failureCode is the code for the log of why a connection ended.
func failureCode(err error) string {
	var known *clientError
	if errors.As(err, &known) {
		return known.code
	}
	return "read"
}
