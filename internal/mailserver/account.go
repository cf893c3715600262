package mailserver

import (
	"errors"
	"log/slog"
	"maps"
	"net"
	"sync"
)

// A Socket is an accepted connection.
type Socket struct {
	net.Conn
	Listener string       // the name of the listener that accepted it
	Log      *slog.Logger // log for all that concerns the connection
}

// A Conn serves a connection in its protocol.
type Conn struct {
	// Serve serves the connection to its end and closes the socket. It returns nil
	// or io.EOF after an orderly end, and otherwise a *Failure.
	Serve func() error
	// Drain ends the connection as soon as it has no open message. It must not
	// wait.
	Drain func()
	// Cut ends the connection at once.
	Cut func()
}

// account holds the connections and listeners that are open, until it closes.
type account struct {
	mu        sync.Mutex
	closing   bool
	done      chan struct{} // closed when closing begins
	listeners map[net.Listener]struct{}
	conns     map[*Conn]struct{}
	broken    map[string]uint64
	running   sync.WaitGroup // one for each connection, from its acceptance on
}

func newAccount() *account {
	return &account{
		done:      make(chan struct{}),
		listeners: make(map[net.Listener]struct{}),
		conns:     make(map[*Conn]struct{}),
		broken:    make(map[string]uint64),
	}
}

// enter notes that a connection is about to be served; the caller must call leave later. It reports
// false if the account is closing.
func (a *account) enter() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closing {
		a.running.Add(1)
	}
	return !a.closing
}

func (a *account) leave() { a.running.Done() }

// serve serves a connection that has entered, to its end.
func (a *account) serve(c *Conn, log *slog.Logger) {
	if !a.add(c) {
		c.Cut()
		return
	}
	defer a.remove(c)
	defer func() {
		if v := recover(); v != nil {
			a.count(string(ReasonPanic))
			log.Error("connection closed", append([]any{"reason", ReasonPanic}, panicAttrs(v)...)...)
			c.Cut()
		}
	}()
	if err := c.Serve(); Failed(err) {
		failure := failureOf(err)
		a.count(failure.Code)
		log.Warn("connection closed", failure.attrs()...)
	}
}

// add notes an open connection unless the account is closing.
func (a *account) add(c *Conn) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closing {
		a.conns[c] = struct{}{}
	}
	return !a.closing
}

func (a *account) remove(c *Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.conns, c)
}

// count notes that a connection did not end in order. The number of different reasons is limited.
func (a *account) count(reason string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.broken[reason]++
}

// numbers returns how many connections are open, and for each reason how many did not end in order.
func (a *account) numbers() (open int, broken map[string]uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.conns), maps.Clone(a.broken)
}

// addListener registers a listener unless the account is closing.
func (a *account) addListener(l net.Listener) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closing {
		a.listeners[l] = struct{}{}
	}
	return !a.closing
}

func (a *account) removeListener(l net.Listener) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.listeners, l)
}

// close closes the listeners and drains the connections.
func (a *account) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
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
	return errors.Join(errs...)
}

// idle returns a channel that is closed when no connection is left.
func (a *account) idle() <-chan struct{} {
	idle := make(chan struct{})
	go func() {
		a.running.Wait()
		close(idle)
	}()
	return idle
}

// cut ends all connections at once.
func (a *account) cut() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for c := range a.conns {
		c.Cut()
	}
}
