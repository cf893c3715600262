package milter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	gomilter "github.com/emersion/go-milter"
)

// Probe holds a short session with the server, as an MTA that connects and has
// no message, and says what is wrong with the answer. The session takes
// none of the places of Options.MaxConnections: a server that is merely busy
// passes. After Shutdown the error is ErrServerClosed.
func (s *Server) Probe(ctx context.Context) error {
	mta, socket := net.Pipe()
	c := newConn(socket, s.options.Timeouts)
	if !s.acceptor.Add(c) {
		return errors.Join(ErrServerClosed, mta.Close(), socket.Close())
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.serveConn(c, "probe")
	}()
	// A pipe that is closed ends both sides at once.
	unblock := context.AfterFunc(ctx, func() { _ = mta.Close() })
	defer unblock()

	err := probe(mta)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	err = errors.Join(err, mta.Close())
	select {
	case <-ended:
	case <-ctx.Done():
		err = errors.Join(err, context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("milter: probe: %w", err)
	}
	return nil
}

// probe offers the least an MTA can offer, and reads the answer.
func probe(mta io.ReadWriter) error {
	offer := []byte{
		0, 0, 0, 13, byte(gomilter.CodeOptNeg),
		0, 0, 0, 2, // version
		0, 0, 0, 0, // actions
		0, 0, 0, 0, // no-reply flags and the like
	}
	if _, err := mta.Write(offer); err != nil {
		return err
	}
	answer := make([]byte, len(offer))
	if _, err := io.ReadFull(mta, answer); err != nil {
		return err
	}
	if answer[3] != offer[3] || answer[4] != byte(gomilter.CodeOptNeg) {
		return fmt.Errorf("unexpected answer %x", answer)
	}
	_, err := mta.Write([]byte{0, 0, 0, 1, byte(gomilter.CodeQuit)})
	return err
}
