package contentfilter

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// hopBuffer is the size of the buffers of a connection to the next hop.
const hopBuffer = 16 << 10

// hop is a connection to the next hop. One goroutine uses it. After an error it must not be used
// again.
type hop struct {
	options *NextHop
	conn    net.Conn
	in      *bufio.Reader
	out     *bufio.Writer

	extensions map[string]string // the extensions that it offers: their parameters by upper-case keyword
	open       bool              // a transaction was begun, and is neither done nor reset
	busy       bool              // in the content of a message
	last       time.Time         // when it was last known to receive our bytes
	release    func() bool       // stops the context from closing the connection
}

// hopError returns an error that the next hop caused at a stage of the session, such as
// "connect" or "MAIL".
func hopError(stage string, err error) error { return fmt.Errorf("%s: %w", stage, err) }

// dialHop connects to the next hop and introduces itself as name. When ctx ends, so
// does the connection.
func dialHop(ctx context.Context, options *NextHop, name string) (*hop, error) {
	d := net.Dialer{Timeout: options.Timeout}
	conn, err := d.DialContext(ctx, options.network(), options.Address)
	if err != nil {
		return nil, hopError("connect", err)
	}
	h := &hop{options: options}
	h.release = context.AfterFunc(ctx, func() { _ = conn.Close() })
	h.use(conn)
	if err := h.introduce(ctx, name); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *hop) use(conn net.Conn) {
	h.conn = conn
	h.in = bufio.NewReaderSize(conn, maxReplyLine)
	h.out = bufio.NewWriterSize(stream.Writer(h.write), hopBuffer)
}

// write writes to the next hop under a deadline.
func (h *hop) write(p []byte) (int, error) {
	// Setting a deadline fails only on a closed socket, and then the write fails, too. The same
	// holds for reads.
	_ = h.conn.SetWriteDeadline(time.Now().Add(h.options.Timeout))
	return h.conn.Write(p)
}

// introduce reads the greeting and sends EHLO; if it encrypts the connection, it sends EHLO again.
func (h *hop) introduce(ctx context.Context, name string) error {
	greeting, err := h.read("greeting", h.options.Timeout)
	if err == nil {
		err = expect("greeting", greeting, 220)
	}
	if err != nil {
		return err
	}
	if strings.Contains(greeting.text, h.options.self) {
		return hopError("greeting", errors.New("the next hop is this server itself"))
	}
	if err := h.hello(name); err != nil {
		return err
	}
	offered := h.offers("STARTTLS")
	switch {
	case h.options.TLS == nil, !offered && !h.options.RequireTLS:
		return nil
	case !offered:
		return hopError("STARTTLS", errors.New("not offered"))
	}
	ready, err := h.ask("STARTTLS", "STARTTLS")
	if err == nil {
		err = expect("STARTTLS", ready, 220)
	}
	if err != nil {
		return err
	}
	if h.in.Buffered() > 0 {
		// An attacker on the path could have inserted it (RFC 3207 §6).
		return hopError("STARTTLS", errNonsense)
	}
	conn := tls.Client(h.conn, h.options.TLS)
	_ = h.conn.SetDeadline(time.Now().Add(h.options.Timeout))
	if err := conn.HandshakeContext(ctx); err != nil {
		return hopError("TLS handshake", err)
	}
	h.use(conn)
	return h.hello(name)
}

// hello sends EHLO or LHLO and records the extensions in the reply.
func (h *hop) hello(name string) error {
	verb := "EHLO"
	if h.options.LMTP {
		verb = "LHLO"
	}
	answer, err := h.ask(verb, verb+" "+name)
	if err == nil {
		err = expect(verb, answer, 250)
	}
	if err != nil {
		return err
	}
	h.extensions = map[string]string{}
	for _, line := range answer.lines()[1:] {
		keyword, parameters, _ := strings.Cut(line, " ")
		h.extensions[strings.ToUpper(keyword)] = parameters
	}
	return nil
}

// expect returns an error if a reply does not have the code. The error is about the connection, not
// the message.
func expect(stage string, r reply, code int) error {
	if r.code == code {
		return nil
	}
	return hopError(stage, errors.New("answered "+strings.TrimSpace(r.text)))
}

// offers reports whether the next hop has an extension.
func (h *hop) offers(keyword string) bool {
	_, ok := h.extensions[keyword]
	return ok
}

// maxSize returns the size up to which the next hop accepts messages, or 0 if it does not say.
func (h *hop) maxSize() int64 {
	n, err := strconv.ParseInt(h.extensions["SIZE"], 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// ask sends a command and returns the reply. stage names it in errors.
func (h *hop) ask(stage, line string) (reply, error) {
	if h.in.Buffered() > 0 {
		// The next hop sent a reply without a command, so all later replies would belong to the
		// wrong command.
		return reply{}, hopError(stage, errNonsense)
	}
	_, _ = h.out.WriteString(line)
	_, _ = h.out.WriteString("\r\n")
	if err := h.out.Flush(); err != nil {
		return reply{}, hopError(stage, err)
	}
	return h.read(stage, h.options.Timeout)
}

// transact is ask for a command of the client. It accepts only replies that such a command can
// have.
func (h *hop) transact(stage, line string) (reply, error) {
	r, err := h.ask(stage, line)
	if err == nil && !r.positive() && !r.negative() {
		err = hopError(stage, fmt.Errorf("%w: %03d", errNonsense, r.code))
	}
	return r, err
}

// read reads a reply within d.
func (h *hop) read(stage string, d time.Duration) (reply, error) {
	_ = h.conn.SetReadDeadline(time.Now().Add(d))
	r, err := readReply(h.in)
	if err != nil {
		return reply{}, hopError(stage, err)
	}
	h.last = time.Now()
	return r, nil
}

// reset ends the transaction that is open, if there is one.
func (h *hop) reset() error {
	if !h.open {
		return nil
	}
	r, err := h.ask("RSET", "RSET")
	if err == nil {
		err = expect("RSET", r, 250)
	}
	h.open = false
	return err
}

// assure keeps the next hop from timing out while a client is slow with its message. It
// flushes the bytes received so far, or sends NOOP.
func (h *hop) assure() error {
	if time.Since(h.last) < h.options.keepAlive {
		return nil
	}
	if h.busy {
		h.last = time.Now()
		_ = h.out.Flush() // The next write returns the error.
		return nil
	}
	_, err := h.transact("NOOP", "NOOP")
	return err
}

// quit ends the connection in order, if it is not in the middle of a message. It does
// not wait for the reply.
func (h *hop) quit() {
	if !h.busy {
		_ = h.conn.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = h.conn.Write([]byte("QUIT\r\n"))
	}
	h.close()
}

// close ends the connection at once: a message whose end was not sent is not
// delivered.
func (h *hop) close() {
	h.release()
	_ = h.conn.Close()
}
