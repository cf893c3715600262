package contentfilter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
)

// Probe holds a short session with the server, as a client that connects and has no
// message, and says what is wrong with the answers. The session takes none of the
// places of Options.MaxConnections, and the next hop is not asked. After Shutdown
// the error is ErrServerClosed.
func (s *Server) Probe(ctx context.Context) error {
	client, socket := net.Pipe()
	c := newConn(socket, s, "probe")
	if !s.acceptor.Add(c) {
		return errors.Join(ErrServerClosed, client.Close(), socket.Close())
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.serve()
	}()
	// A pipe that is closed ends both sides at once.
	unblock := context.AfterFunc(ctx, func() { _ = client.Close() })
	defer unblock()

	err := probe(client)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	err = errors.Join(err, client.Close())
	select {
	case <-ended:
	case <-ctx.Done():
		err = errors.Join(err, context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("contentfilter: probe: %w", err)
	}
	return nil
}

// probe reads the greeting and quits.
func probe(client net.Conn) error {
	in := bufio.NewReaderSize(client, maxReplyLine)
	greeting, err := readReply(in)
	if err == nil && greeting.code != 220 {
		err = fmt.Errorf("greeting %q", greeting.text)
	}
	if err != nil {
		return err
	}
	if _, err := client.Write([]byte("QUIT\r\n")); err != nil {
		return err
	}
	_, err = readReply(in)
	return err
}
