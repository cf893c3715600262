package milter

import (
	"context"
	"fmt"
	"net"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// Options configure a Server. Zero values mean those of [DefaultOptions], but a Filter
// is needed.
type Options struct {
	mailserver.Options
	Timeouts Timeouts
}

// DefaultOptions returns the defaults.
func DefaultOptions() Options {
	return Options{Options: mailserver.Options{MaxConnections: 1000}, Timeouts: defaultTimeouts()}
}

// Server serves MTAs. Its methods may be called from several goroutines.
type Server struct {
	*mailserver.Server
	timeouts Timeouts
}

// NewServer returns a server, or an error if the options make no sense.
func NewServer(options Options) (*Server, error) {
	t := options.Timeouts
	if min(t.Idle, t.Content, t.packet, t.write) < 0 {
		return nil, fmt.Errorf("milter: %w", mailserver.ErrNegative)
	}
	s := &Server{timeouts: t.withDefaults()}
	var err error
	s.Server, err = mailserver.New("milter", options.Options, DefaultOptions().MaxConnections, s.open)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// open returns the connection that serves a socket.
func (s *Server) open(socket mailserver.Socket) *mailserver.Conn {
	c := &connection{newConn(socket.Conn, s.timeouts), s.Server, socket}
	return &mailserver.Conn{Serve: c.serve, Drain: c.drain, Cut: c.cut}
}

// connection is a connection of an MTA from its acceptance to its end.
type connection struct {
	*conn
	server *mailserver.Server
	socket mailserver.Socket
}

// serve negotiates and runs the session.
func (c *connection) serve() error {
	defer c.close()
	if g, err := c.negotiate(); err != nil {
		c.failure = err
	} else {
		session := newSession(c.server, c.conn, g, envelope.Envelope{Rewrites: true}, c.socket.Log)
		defer session.reset()
		c.run(g, session)
	}
	if c.busy.Draining() {
		return nil
	}
	return c.failure
}

// Probe holds a short session with the server, as an MTA that connects and has
// no message. The error describes a wrong answer. After Shutdown it is
// [mailserver.ErrServerClosed].
func (s *Server) Probe(ctx context.Context) error {
	return s.Server.Probe(ctx, func(c net.Conn) error { return probe(c) })
}
