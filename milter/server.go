package milter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/acceptor"
	"github.com/linkmilter/linkmilter/internal/budget"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

// Defaults of Options and Limits.
const (
	DefaultMaxMessage     = budget.DefaultMaxMessage
	DefaultMemory         = budget.DefaultMemory
	DefaultMaxConnections = 1000
)

// Limits bound the work on messages: MaxMessage and Memory in bytes, and Time.
// They may be changed while a [Server] runs. Zero values stand for the defaults.
type Limits = budget.Limits

// ErrServerClosed is returned by [Server.Serve] after [Server.Shutdown].
var ErrServerClosed = errors.New("milter: server closed")

// Filter decides about a message. *filter.Filter is one.
type Filter interface {
	// Message returns what to do with the message raw, which has CRLF line ends
	// in its header and the body as the MTA sent it. The memory of raw is
	// used again: of what is returned only Edited and Plan may refer to it. It should return by
	// ctx's deadline: soon after it the message is accepted unchanged without it.
	Message(ctx context.Context, env filter.Envelope, raw []byte) filter.Result
}

// Options configure a Server. Zero values stand for the defaults, but a
// Filter is needed.
type Options struct {
	Filter Filter
	// Log gets one line a message, and one for what goes wrong with a connection;
	// nil: nothing is logged.
	Log *slog.Logger
	// Observe is called once for each message, by the goroutine of its
	// connection, when its fate is decided; nil: nobody is told. It must not keep
	// the MTA waiting.
	Observe func(*Event)
	// Limits are those to begin with; [Server.SetLimits] changes them.
	Limits Limits
	// Allow are the networks from which TCP connections are served, beside those
	// of this machine, which always are.
	Allow []netip.Prefix
	// MaxConnections bounds the connections served at a time; further ones wait
	// to be accepted. Default DefaultMaxConnections.
	MaxConnections int
	Timeouts       Timeouts
}

// withDefaults returns o with its zero values replaced, or what is wrong.
func (o Options) withDefaults() (Options, error) {
	if o.Filter == nil {
		return o, errors.New("milter: no filter")
	}
	t := o.Timeouts
	if o.MaxConnections < 0 || min(t.Idle, t.Content, t.Packet, t.Write) < 0 {
		return o, fmt.Errorf("milter: %w", budget.ErrNegative)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observe == nil {
		o.Observe = func(*Event) {}
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = DefaultMaxConnections
	}
	o.Timeouts = t.withDefaults()
	return o, nil
}

// Server serves MTAs. Its methods may be called from several goroutines.
type Server struct {
	options  Options
	budget   *budget.Budget
	acceptor *acceptor.Acceptor

	ctx    context.Context // of the filter's work
	cancel context.CancelFunc
}

// NewServer returns a server, or an error if the options make no sense.
func NewServer(options Options) (*Server, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{options: options}
	if s.budget, err = budget.New(options.Limits); err != nil {
		return nil, fmt.Errorf("milter: %w", err)
	}
	s.acceptor = acceptor.New(acceptor.Options{
		Log: options.Log, Allow: options.Allow, MaxConnections: options.MaxConnections, Budget: s.budget, Closed: ErrServerClosed, Handle: s.handle,
	})
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Serve accepts connections on l and serves them until Shutdown, when it returns
// ErrServerClosed, or until l fails for good. It may be called for several
// listeners. l is closed when it returns; the connections it accepted live
// on.
func (s *Server) Serve(l net.Listener) error { return s.acceptor.Serve(l) }

// Shutdown stops accepting connections, ends those without a message in
// hand, lets the others finish theirs and waits for that. When ctx ends first, the
// remaining connections are cut (their MTAs apply their default action) and
// its error is returned.
func (s *Server) Shutdown(ctx context.Context) error {
	if err := s.acceptor.Shutdown(ctx, s.cancel); err != nil {
		return fmt.Errorf("milter: %w", err)
	}
	return nil
}

// SetLimits replaces the limits. A message in hand keeps the size it may have;
// the others hold at once. An error means that nothing was changed.
func (s *Server) SetLimits(l Limits) error {
	if err := s.budget.SetLimits(l); err != nil {
		return fmt.Errorf("milter: %w", err)
	}
	return nil
}

// handle serves a connection that was accepted.
func (s *Server) handle(socket net.Conn, listener string) {
	c := newConn(socket, s.options.Timeouts)
	if !s.acceptor.Add(c) {
		_ = c.link.close()
		return
	}
	s.serveConn(c, listener)
}

// serveConn serves one connection, which is in the acceptor's account, to its
// end. listener is the name of the listener that accepted it.
func (s *Server) serveConn(c *conn, listener string) {
	log := s.options.Log.With("listener", listener)
	defer func() {
		if v := recover(); v != nil {
			s.acceptor.CountBroken(string(ReasonPanic))
			log.Error("connection closed", "reason", ReasonPanic, "panic", outcome.PanicText(v), "stack", string(debug.Stack()))
		}
		_ = c.Close()
		s.acceptor.Remove(c)
	}()
	g, err := c.negotiate()
	if err != nil {
		c.failure = err
	} else {
		session := newSession(s, c, g, filter.Envelope{Listener: listener, Rewrites: true}, log)
		for c.run(g, session); c.successor() != nil; c.run(g, session) {
			s.acceptor.Replace(c, c.successor())
			c = c.successor()
			session = newSession(s, c, g, session.client, log)
		}
		session.end()
	}
	if failed(c.failure) && !c.isDraining() {
		s.acceptor.CountBroken(errorCode(c.failure))
		log.Warn("connection closed", errorAttrs(c.failure)...)
	}
}
