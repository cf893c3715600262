package contentfilter

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/stream"
)

const (
	// readBuffer is the size in bytes of the buffer for the bytes of the client.
	readBuffer = 16 << 10
	// maxCommand is the length of a command line in bytes with its line end. RFC 5321 §4.5.3.1.4
	// says 512, and every extension adds to it.
	maxCommand = 4 << 10
)

// wire is the socket of a client: it reads lines and writes collected replies, both under
// deadlines. It sends the replies before a read that would wait, so that replies to pipelined
// commands are sent together. Only one goroutine uses it, except for drain and close.
type wire struct {
	timeouts *Timeouts
	busy     mailserver.Busy // from MAIL to the end of the message

	mu     sync.Mutex
	socket net.Conn // encrypted after STARTTLS

	in  *bufio.Reader
	out []byte // replies to be sent
}

func newWire(socket net.Conn, t *Timeouts) *wire {
	w := &wire{timeouts: t, socket: socket}
	w.in = bufio.NewReaderSize(stream.Reader(w.read), readBuffer)
	return w
}

// read reads from the socket, after it sent all replies.
func (w *wire) read(p []byte) (int, error) {
	if err := w.flush(); err != nil {
		return 0, err
	}
	return w.socket.Read(p)
}

// flush sends the replies.
func (w *wire) flush() error {
	if len(w.out) == 0 {
		return nil
	}
	_ = w.socket.SetWriteDeadline(time.Now().Add(w.timeouts.write))
	_, err := w.socket.Write(w.out)
	w.out = w.out[:0]
	if err != nil {
		return &mailserver.Failure{Code: "write", Err: err}
	}
	return nil
}

// Errors of a line. They end the connection: the end of the line is not certain.
var (
	errDraining    = errors.New("shutting down")
	errLongLine    = errors.New("line too long")
	errBrokenLine  = errors.New("line with control characters, or without CR at its end")
	errEarlyClient = errors.New("commands after STARTTLS")
)

// await sets the deadline for the next read. The error is errDraining if the connection
// must end.
func (w *wire) await(deadline time.Time) error {
	if !w.busy.Wait(func() { _ = w.socket.SetReadDeadline(deadline) }) {
		return errDraining
	}
	return nil
}

// readLine reads a command line with its line end, valid until the next read.
func (w *wire) readLine() ([]byte, error) {
	if err := w.await(time.Now().Add(w.timeouts.Command)); err != nil {
		return nil, err
	}
	line, err := w.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull), len(line) > maxCommand:
		return nil, errLongLine
	case errors.Is(err, os.ErrDeadlineExceeded) && !w.busy.Wait(func() {}):
		return nil, errDraining
	case len(line) > 0 && errors.Is(err, io.EOF):
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	case !properLine(line):
		return nil, errBrokenLine
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

// content returns a reader of the content of a message that the client sends now. While the client
// is silent, the reader calls keep after each pause.
func (w *wire) content(pause time.Duration, keep func()) *dotReader {
	end := time.Now().Add(w.timeouts.Message)
	return &dotReader{in: w.in, more: func() error { return w.moreContent(end, pause, keep) }}
}

// moreContent waits until the client has sent more, at most until end.
func (w *wire) moreContent(end time.Time, pause time.Duration, keep func()) error {
	deadline := time.Now().Add(w.timeouts.Content)
	if end.Before(deadline) {
		deadline = end
	}
	for {
		step := time.Now().Add(pause)
		if deadline.Before(step) {
			step = deadline
		}
		if err := w.await(step); err != nil {
			return err
		}
		_, err := w.in.Peek(1)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded) && time.Now().Before(deadline):
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		keep()
		if err == nil {
			return nil
		}
	}
}

// startTLS sends the replies and encrypts the connection.
func (w *wire) startTLS(ctx context.Context, config *tls.Config) error {
	if w.in.Buffered() > 0 {
		// An attacker on the path could have inserted it (RFC 3207 §6).
		return &mailserver.Failure{Code: "malformed", Err: errEarlyClient}
	}
	if err := w.flush(); err != nil {
		return err
	}
	encrypted := tls.Server(w.socket, config)
	_ = w.socket.SetDeadline(time.Now().Add(w.timeouts.Command))
	if err := encrypted.HandshakeContext(ctx); err != nil {
		return &mailserver.Failure{Code: "tls", Err: err}
	}
	w.mu.Lock()
	w.socket = encrypted
	w.mu.Unlock()
	w.in.Reset(stream.Reader(w.read))
	return nil
}

// drain ends the connection as soon as it has no open message.
func (w *wire) drain() {
	w.busy.Drain(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		// This wakes up the reader, which then sees that the connection drains.
		_ = w.socket.SetReadDeadline(time.Unix(1, 0))
	})
}

// close closes the socket at once.
func (w *wire) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.socket.Close()
}
