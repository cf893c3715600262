// Package acceptor accepts the connections of a server, from the networks that
// may connect and as many at a time as there may be, keeps account of them, and
// ends them in order.
package acceptor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/linkmilter/linkmilter/internal/budget"
)

// Pauses after an Accept that did not work for want of resources.
const (
	minBackOff = 5 * time.Millisecond
	maxBackOff = time.Second
)

// Options configure an [Acceptor].
type Options struct {
	Log *slog.Logger
	// Allow are the networks from which TCP connections are served, beside those
	// of this machine, which always are.
	Allow []netip.Prefix
	// MaxConnections bounds the connections served at a time; further ones wait
	// to be accepted.
	MaxConnections int
	// Budget is of the memory that their messages take, for Stats.
	Budget *budget.Budget
	// Closed is what Serve returns after Shutdown.
	Closed error
	// Handle serves one connection on a goroutine of its own. listener names the
	// listener that accepted it.
	Handle func(c net.Conn, listener string)
}

// A Conn is a connection in the account.
type Conn interface {
	// Drain ends the connection as soon as it has no message in hand. It must not
	// wait.
	Drain()
	// Cut ends it at once.
	Cut()
}

// An Acceptor accepts connections. Its methods may be called from several
// goroutines.
type Acceptor struct {
	options                 Options
	served, denied, atLimit atomic.Uint64
	slots                   chan struct{} // one for each connection
	done                    chan struct{} // closed when Shutdown begins
	limit                   limitLog

	mu        sync.Mutex
	closing   bool
	listeners map[net.Listener]struct{}
	conns     map[Conn]struct{}
	broken    map[string]uint64
	running   sync.WaitGroup // connections in the account, and handlers
}

// New returns an Acceptor. All of options must be set, but for Allow.
func New(options Options) *Acceptor {
	return &Acceptor{
		options:   options,
		limit:     limitLog{log: options.Log, limit: options.MaxConnections},
		slots:     make(chan struct{}, options.MaxConnections),
		done:      make(chan struct{}),
		listeners: make(map[net.Listener]struct{}),
		conns:     make(map[Conn]struct{}),
		broken:    make(map[string]uint64),
	}
}

// Serve accepts connections on l until Shutdown, when it returns
// Options.Closed, or until l fails for good. It may be called for several
// listeners. l is closed when it returns; the connections it accepted live
// on.
func (a *Acceptor) Serve(l net.Listener) error {
	defer l.Close()
	if !a.addListener(l) {
		return a.options.Closed
	}
	defer a.removeListener(l)
	name := listenerName(l)
	for {
		if err := a.waitSlot(name); err != nil {
			return err
		}
		c, err := a.accept(l)
		if err != nil {
			<-a.slots
			return err
		}
		if !a.allows(c) {
			a.deny(c, name)
			<-a.slots
			continue
		}
		a.start(c, name)
	}
}

// allows reports whether a connection is one of this machine or of
// Options.Allow.
func (a *Acceptor) allows(c net.Conn) bool {
	client, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return true // a Unix socket: its permissions decide
	}
	address := client.AddrPort().Addr().Unmap()
	return address.IsLoopback() ||
		slices.ContainsFunc(a.options.Allow, func(network netip.Prefix) bool { return network.Contains(address.WithZone("")) })
}

// deny turns a connection away.
func (a *Acceptor) deny(c net.Conn, listener string) {
	a.denied.Add(1)
	a.options.Log.Warn("connection refused", "listener", listener, "reason", "not-allowed", "client", c.RemoteAddr().String())
	_ = c.Close()
}

// start serves c on a goroutine of its own, unless the server is closing.
func (a *Acceptor) start(c net.Conn, listener string) {
	a.mu.Lock()
	closing := a.closing
	if !closing {
		a.running.Add(1)
	}
	a.mu.Unlock()
	if closing {
		_ = c.Close()
		<-a.slots
		return
	}
	a.served.Add(1)
	go func() {
		defer func() { <-a.slots }()
		defer a.running.Done()
		a.options.Handle(c, listener)
	}()
}

// waitSlot waits until another connection may be served. An MTA meanwhile waits
// in the listener's queue, which is better than being turned away.
func (a *Acceptor) waitSlot(listener string) error {
	select {
	case a.slots <- struct{}{}:
		return nil
	default:
	}
	a.atLimit.Add(1)
	a.limit.reached(listener)
	select {
	case a.slots <- struct{}{}:
		return nil
	case <-a.done:
		return a.options.Closed
	}
}

// accept accepts one connection. Errors that pass are waited out.
func (a *Acceptor) accept(l net.Listener) (net.Conn, error) {
	pause := minBackOff
	for {
		c, err := l.Accept()
		if err == nil {
			return c, nil
		}
		select {
		case <-a.done:
			return nil, a.options.Closed
		default:
		}
		if !temporary(err) {
			return nil, err
		}
		a.options.Log.Warn("accept", "error", err, "retry", pause)
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-a.done:
			timer.Stop()
			return nil, a.options.Closed
		}
		pause = min(2*pause, maxBackOff)
	}
}

// temporary reports whether an Accept may work later: the connection went away
// before it was accepted, or descriptors or memory are short.
func temporary(err error) bool {
	for _, errno := range []syscall.Errno{
		syscall.ECONNABORTED, syscall.ECONNRESET, syscall.EINTR, syscall.EAGAIN,
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
	} {
		if errors.Is(err, errno) {
			return true
		}
	}
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// listenerName is how a listener is called in the log and the envelope.
func listenerName(l net.Listener) string {
	addr := l.Addr()
	if addr == nil {
		return ""
	}
	return addr.Network() + ":" + addr.String()
}

// Add takes a connection into the account, or reports false when the server is
// closing.
func (a *Acceptor) Add(c Conn) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	a.conns[c] = struct{}{}
	a.running.Add(1)
	return true
}

// Replace has next take the place of old in the account.
func (a *Acceptor) Replace(old, next Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.conns, old)
	a.conns[next] = struct{}{}
	if a.closing {
		next.Drain()
	}
}

// Remove takes a connection out of the account.
func (a *Acceptor) Remove(c Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.conns, c)
	a.running.Done()
}

// Shutdown stops accepting connections, drains those in the account and waits
// until they are gone. When ctx ends first, it calls giveUp, cuts the remaining
// ones and returns the error.
func (a *Acceptor) Shutdown(ctx context.Context, giveUp func()) error {
	a.mu.Lock()
	if !a.closing {
		a.closing = true
		close(a.done)
	}
	var errs []error
	for l := range a.listeners {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	for c := range a.conns {
		c.Drain()
	}
	a.mu.Unlock()
	a.limit.stop()

	idle := make(chan struct{})
	go func() {
		a.running.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return errors.Join(errs...)
	case <-ctx.Done():
	}
	giveUp()
	a.mu.Lock()
	for c := range a.conns {
		c.Cut()
	}
	a.mu.Unlock()
	return errors.Join(append(errs, fmt.Errorf("messages in hand were cut off: %w", context.Cause(ctx)))...)
}

// addListener registers a listener unless the server is closing.
func (a *Acceptor) addListener(l net.Listener) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	a.listeners[l] = struct{}{}
	return true
}

func (a *Acceptor) removeListener(l net.Listener) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.listeners, l)
}

// CountBroken notes that a connection did not end in order. There is a limited number of
// reasons.
func (a *Acceptor) CountBroken(reason string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.broken[reason]++
}

// Stats are numbers about a running server.
type Stats struct {
	Connections int    // being served now
	Served      uint64 // connections so far
	Denied      uint64 // connections turned away, since Options.Allow does not name their network
	AtLimit     uint64 // how often all connections of Options.MaxConnections were taken
	// Broken are connections that did not end in order, by the reason in the log.
	Broken      map[string]uint64
	Memory      int64 // bytes that messages in hand take
	MemoryLimit int64 // Limits.Memory
}

// Stats returns the numbers of this moment.
func (a *Acceptor) Stats() Stats {
	a.mu.Lock()
	connections, broken := len(a.conns), maps.Clone(a.broken)
	a.mu.Unlock()
	return Stats{
		Connections: connections,
		Served:      a.served.Load(),
		Denied:      a.denied.Load(),
		AtLimit:     a.atLimit.Load(),
		Broken:      broken,
		Memory:      a.options.Budget.Used(),
		MemoryLimit: a.options.Budget.Limits().Memory,
	}
}
