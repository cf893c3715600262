package contentfilter

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"

	"github.com/linkmilter/linkmilter/internal/acceptor"
	"github.com/linkmilter/linkmilter/internal/budget"
)

// ErrServerClosed is returned by [Server.Serve] after [Server.Shutdown].
var ErrServerClosed = errors.New("contentfilter: server closed")

// Server serves mail servers. Its methods may be called from several goroutines.
type Server struct {
	options    Options
	budget     *budget.Budget
	acceptor   *acceptor.Acceptor
	quarantine *maildir // or nil
	failures   atomic.Uint64
	messages   atomic.Uint64 // for their names

	ctx    context.Context // of the filter's work and of connecting
	cancel context.CancelFunc
}

// NewServer returns a server, or an error if the options make no sense or the
// quarantine folder cannot be written to.
func NewServer(options Options) (*Server, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{options: options}
	if s.budget, err = budget.New(options.Limits); err != nil {
		return nil, fmt.Errorf("contentfilter: %w", err)
	}
	if path := options.Quarantine.Maildir; path != "" {
		if s.quarantine, err = openMaildir(path, options.Name); err != nil {
			return nil, fmt.Errorf("contentfilter: quarantine: %w", err)
		}
	}
	s.acceptor = acceptor.New(acceptor.Options{
		Log: options.Log, Allow: options.Allow, MaxConnections: options.MaxConnections, Budget: s.budget, Closed: ErrServerClosed, Handle: s.handle,
	})
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if options.Quarantine == (Quarantine{}) {
		options.Log.Info("no quarantine configured: messages that rules quarantine go on with their tags")
	}
	return s, nil
}

// Serve accepts connections on l and serves them until Shutdown, when it returns
// ErrServerClosed, or until l fails for good. It may be called for several
// listeners. l is closed when it returns; the connections it accepted live
// on.
func (s *Server) Serve(l net.Listener) error { return s.acceptor.Serve(l) }

// Shutdown stops accepting connections, ends those without a message in
// hand (421), lets the others finish theirs and waits for that. When ctx ends
// first, the remaining connections are cut (their clients keep the messages) and
// its error is returned.
func (s *Server) Shutdown(ctx context.Context) error {
	if err := s.acceptor.Shutdown(ctx, s.cancel); err != nil {
		return fmt.Errorf("contentfilter: %w", err)
	}
	return nil
}

// handle serves a connection that was accepted.
func (s *Server) handle(socket net.Conn, listener string) {
	c := newConn(socket, s, listener)
	if !s.acceptor.Add(c) {
		_ = socket.Close()
		return
	}
	c.serve()
}

// Stats are numbers about a running [Server].
type Stats = acceptor.Stats

// Stats returns the numbers of this moment.
func (s *Server) Stats() Stats { return s.acceptor.Stats() }

// Failures returns how often the next hop could not be reached, was lost, or
// answered nonsense.
func (s *Server) Failures() uint64 { return s.failures.Load() }
