package contentfilter

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// Server serves mail servers. Its methods may be called from several goroutines.
type Server struct{ *core }

// NewServer returns a server, or an error if the options make no sense or the
// quarantine folder cannot be written to.
func NewServer(options Options) (*Server, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{&core{options: options}}
	s.Server, err = mailserver.New("contentfilter", options.Options, DefaultOptions().MaxConnections, s.open)
	if err != nil {
		return nil, err
	}
	if path := options.Quarantine.Maildir; path != "" {
		if s.quarantine, err = openMaildir(path, options.Name); err != nil {
			return nil, fmt.Errorf("contentfilter: quarantine: %w", err)
		}
	}
	return s, nil
}

// open returns the connection that serves a socket.
func (s *Server) open(socket mailserver.Socket) *mailserver.Conn {
	c := newConnection(s.core, socket)
	return &mailserver.Conn{Serve: c.serve, Drain: c.drain, Cut: c.cut}
}

// Probe holds a short session with the server, as a client that connects and has no
// message. The error describes a wrong answer. Probe does not connect to the next hop.
// After Shutdown the error is [mailserver.ErrServerClosed].
func (s *Server) Probe(ctx context.Context) error {
	return s.Server.Probe(ctx, func(c net.Conn) error { return probe(c) })
}

// Failures returns how often the next hop was unreachable, closed the connection or sent
// an invalid reply.
func (s *Server) Failures() uint64 { return s.failures.Load() }

// core has the data that the connections of a Server share.
type core struct {
	*mailserver.Server
	options    Options
	quarantine *maildir // or nil
	failures   atomic.Uint64
	messages   atomic.Uint64 // counts messages for their names
}

// newID returns a name for a message, for the log and for Received.
func (c *core) newID() string {
	return strconv.FormatInt(time.Now().UnixMicro(), 36) + strconv.FormatUint(c.messages.Add(1)%(36*36*36)+36*36*36, 36)
}
