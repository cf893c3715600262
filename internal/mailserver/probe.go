package mailserver

import (
	"context"
	"errors"
	"net"
)

// Probe holds a short session with the server over a pipe: talk acts as the
// client and returns an error for a wrong answer. The session does not count
// towards MaxConnections: a server that is merely busy passes. After Shutdown the
// error is ErrServerClosed.
func (s *Server) Probe(ctx context.Context, talk func(net.Conn) error) error {
	client, socket := net.Pipe()
	if !s.account.enter() {
		return s.wrap(errors.Join(ErrServerClosed, client.Close(), socket.Close()))
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer s.account.leave()
		s.serveSocket(socket, "probe")
	}()
	// Closing the pipe ends both sides at once.
	unblock := context.AfterFunc(ctx, func() { _ = client.Close() })
	defer unblock()

	err := talk(client)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	err = errors.Join(err, client.Close())
	select {
	case <-ended:
	case <-ctx.Done():
		err = errors.Join(err, context.Cause(ctx))
	}
	return s.wrap(err)
}
