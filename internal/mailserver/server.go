package mailserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/envelope"
)

// Options configure a Server of any protocol. Zero values mean the defaults, but a
// Filter is needed.
type Options struct {
	Filter Filter
	// Log gets a line for each message, and for each failure of a connection; nil means no log.
	Log *slog.Logger
	// Observe is called once for each message, by the goroutine of its
	// connection, before the client has its reply; nil: nothing is called. It
	// must not keep the client waiting.
	Observe func(*Event)
	// Details are the first details of log lines; [Server.SetDetails] replaces them.
	Details Details
	// Limits are the first limits; [Server.SetLimits] replaces them.
	Limits Limits
	// Allow are the networks from which TCP connections are served, in addition to connections from
	// this machine, which always are.
	Allow []netip.Prefix
	// MaxConnections bounds the connections served at a time; further ones wait
	// to be accepted. The default depends on the protocol.
	MaxConnections int
}

// A Server serves the connections of one protocol. Its methods may be called from
// several goroutines.
type Server struct {
	name     string
	log      *slog.Logger
	observe  func(*Event)
	details  atomic.Pointer[Details]
	open     func(Socket) *Conn
	budget   *Budget
	account  *account
	acceptor *acceptor
	runner   *runner
	giveUp   context.CancelFunc
}

// New returns a server, or an error if the options are not valid. Errors begin with
// name. connections is the default of MaxConnections. open returns the Conn that serves
// an accepted socket.
func New(name string, o Options, connections int, open func(Socket) *Conn) (*Server, error) {
	s := &Server{name: name, log: o.Log, observe: o.Observe, open: open, account: newAccount()}
	s.SetDetails(o.Details)
	if o.Filter == nil {
		return nil, s.wrap(errors.New("no filter"))
	}
	if o.MaxConnections < 0 {
		return nil, s.wrap(ErrNegative)
	}
	if o.MaxConnections > 0 {
		connections = o.MaxConnections
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.observe == nil {
		s.observe = func(*Event) {}
	}
	var err error
	if s.budget, err = newBudget(o.Limits); err != nil {
		return nil, s.wrap(err)
	}
	s.acceptor = newAcceptor(s.log, o.Allow, connections, s.account.done)
	s.runner = &runner{filter: o.Filter}
	s.runner.ctx, s.giveUp = context.WithCancel(context.Background())
	return s, nil
}

// wrap names the package in an error.
func (s *Server) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// Serve accepts connections on l and serves them until Shutdown, when it returns
// ErrServerClosed, or until l fails for good. It may be called for several
// listeners. It closes l; the connections it accepted live on.
func (s *Server) Serve(l net.Listener) error {
	defer l.Close()
	if !s.account.addListener(l) {
		return ErrServerClosed
	}
	defer s.account.removeListener(l)
	name := listenerName(l)
	for {
		socket, err := s.acceptor.next(l, name)
		if err != nil {
			return err
		}
		if !s.account.enter() {
			s.acceptor.release()
			return errors.Join(ErrServerClosed, socket.Close())
		}
		s.acceptor.served.Add(1)
		go func() {
			defer s.acceptor.release()
			defer s.account.leave()
			s.serveSocket(socket, name)
		}()
	}
}

// serveSocket serves a connection that has entered the account, to its end.
func (s *Server) serveSocket(socket net.Conn, listener string) {
	log := s.log.With("listener", listener)
	s.account.serve(s.open(Socket{socket, listener, log}), log)
}

// Shutdown stops accepting connections, ends those without an open message, lets
// the others finish theirs and waits for that. When ctx ends first, Shutdown cuts
// the remaining connections and returns the error: their clients keep the messages.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.account.close()
	s.acceptor.limit.Stop()
	select {
	case <-s.account.idle():
		return s.wrap(err)
	case <-ctx.Done():
	}
	s.account.cut() // first, so that the filter does not end and no reply is sent
	s.giveUp()
	return s.wrap(errors.Join(err, fmt.Errorf("open messages cut off: %w", context.Cause(ctx))))
}

// Context ends when Shutdown gives up waiting for open messages.
func (s *Server) Context() context.Context { return s.runner.ctx }

// Log returns the log of the server.
func (s *Server) Log() *slog.Logger { return s.log }

// Budget returns the memory that the messages of all connections share.
func (s *Server) Budget() *Budget { return s.budget }

// SetLimits replaces the limits. An open message keeps the size it may have; the
// other limits hold at once. An error means that nothing was changed.
func (s *Server) SetLimits(l Limits) error { return s.wrap(s.budget.setLimits(l)) }

// SetDetails replaces the details that the log has of messages from now on.
func (s *Server) SetDetails(d Details) { s.details.Store(&d) }

// Work waits until there is memory for the filter's work on a message of size
// bytes, see [Budget]. It returns how many bytes of the message the filter may read, and
// a function that ends the work.
func (s *Server) Work(size int64) (granted int64, end func()) {
	return s.budget.work(s.runner.ctx, size)
}

// Decide calls the filter for the message of r, within Limits.Time from its Start, which
// includes the wait for memory, and until ctx or [Server.Context] ends. The result is in
// r, with ReasonPanic if the filter panics.
func (s *Server) Decide(ctx context.Context, r *Record, log *slog.Logger, env envelope.Envelope, raw []byte) {
	s.runner.run(ctx, r, log, s.budget.Limits().Time, env, raw)
}

// Conclude logs the result of the message of r, with more attributes, and calls the
// observer.
func (s *Server) Conclude(r *Record, log *slog.Logger, more ...slog.Attr) {
	r.Duration = time.Since(r.Start)
	details := *s.details.Load()
	r.write(s.runner.ctx, log, details, more)
	defer func() {
		if v := recover(); v != nil {
			LogPanic(log, r.QueueID, v)
		}
	}()
	s.observe(r.asEvent(details))
}

// Stats are numbers about a running server.
type Stats struct {
	Connections int    // being served now
	Served      uint64 // connections so far
	Denied      uint64 // connections turned away because Options.Allow does not include their network
	AtLimit     uint64 // how often all Options.MaxConnections connections were in use
	Overruns    uint64 // messages for which the filter overran its deadline
	// Broken are connections that did not end in order, by the reason in the log.
	Broken      map[string]uint64
	Memory      int64 // bytes of open messages
	MemoryLimit int64 // Limits.Memory
}

// Stats returns the numbers of this moment.
func (s *Server) Stats() Stats {
	connections, broken := s.account.numbers()
	return Stats{
		Connections: connections,
		Served:      s.acceptor.served.Load(),
		Denied:      s.acceptor.denied.Load(),
		AtLimit:     s.acceptor.atLimit.Load(),
		Overruns:    s.runner.overruns.Load(),
		Broken:      broken,
		Memory:      s.budget.used.Load(),
		MemoryLimit: s.budget.Limits().Memory,
	}
}
