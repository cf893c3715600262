package mailserver

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// Pauses after an Accept that failed for lack of resources.
const (
	minBackOff = 5 * time.Millisecond
	maxBackOff = time.Second
)

// acceptor accepts connections from allowed networks, up to the connection limit.
type acceptor struct {
	log                     *slog.Logger
	allow                   []netip.Prefix
	done                    <-chan struct{}  // closed when no more connections may be accepted
	slots                   chan struct{}    // a slot for each connection
	limit                   *RareLog[string] // logs the listener of a connection that waits
	served, denied, atLimit atomic.Uint64
}

func newAcceptor(log *slog.Logger, allow []netip.Prefix, connections int, done <-chan struct{}) *acceptor {
	return &acceptor{
		log:   log,
		allow: allow,
		done:  done,
		slots: make(chan struct{}, connections),
		limit: newLimitLog(log, connections),
	}
}

// newLimitLog returns a log of connections that have to wait because limit connections are being
// served.
func newLimitLog(log *slog.Logger, limit int) *RareLog[string] {
	return &RareLog[string]{Write: func(waited int, listener string) {
		log.Warn("connection limit reached", "listener", listener, "limit", limit, "waited", waited)
	}}
}

// next returns the next connection of a listener that may be served. The caller must call release
// when it has ended. The error is ErrServerClosed when done is closed.
func (a *acceptor) next(l net.Listener, name string) (net.Conn, error) {
	for {
		// A listener without connections must not keep a slot from the others.
		if err := a.waitSlot(name); err != nil {
			return nil, err
		}
		a.release()
		c, err := a.accept(l)
		if err != nil {
			return nil, err
		}
		if a.allows(c) {
			if err := a.waitSlot(name); err != nil {
				return nil, errors.Join(err, c.Close())
			}
			return c, nil
		}
		a.denied.Add(1)
		a.log.Warn("connection refused", "listener", name, "reason", "not-allowed", "client", c.RemoteAddr().String())
		_ = c.Close()
	}
}

// release lets another connection be accepted.
func (a *acceptor) release() { <-a.slots }

// allows reports whether a connection comes from this machine or from an allowed
// network.
func (a *acceptor) allows(c net.Conn) bool {
	client, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return true // a Unix socket: its permissions decide
	}
	address := client.AddrPort().Addr().Unmap()
	return address.IsLoopback() ||
		slices.ContainsFunc(a.allow, func(network netip.Prefix) bool { return network.Contains(address.WithZone("")) })
}

// waitSlot waits until another connection may be served. Meanwhile MTAs wait in the listener's
// queue, which is better than a refusal.
func (a *acceptor) waitSlot(listener string) error {
	select {
	case a.slots <- struct{}{}:
		return nil
	default:
	}
	a.atLimit.Add(1)
	a.limit.Note(listener)
	select {
	case a.slots <- struct{}{}:
		return nil
	case <-a.done:
		return ErrServerClosed
	}
}

// accept accepts one connection. It waits and tries again after temporary errors.
func (a *acceptor) accept(l net.Listener) (net.Conn, error) {
	pause := minBackOff
	for {
		c, err := l.Accept()
		if err == nil {
			return c, nil
		}
		select {
		case <-a.done:
			return nil, ErrServerClosed
		default:
		}
		if !temporary(err) {
			return nil, err
		}
		a.log.Warn("accept", "error", err, "retry", pause)
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-a.done:
			timer.Stop()
			return nil, ErrServerClosed
		}
		pause = min(2*pause, maxBackOff)
	}
}

// ErrServerClosed is the error of Serve and Probe after Shutdown.
var ErrServerClosed = errors.New("server closed")

// temporary reports whether a later Accept may succeed: the client closed the connection
// before Accept, or file descriptors or memory ran out.
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

// listenerName is the name of a listener in the log and the envelope.
func listenerName(l net.Listener) string {
	addr := l.Addr()
	if addr == nil {
		return ""
	}
	return addr.Network() + ":" + addr.String()
}
