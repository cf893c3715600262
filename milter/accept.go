package milter

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// Pauses after an Accept that did not work for want of resources.
const (
	minBackOff = 5 * time.Millisecond
	maxBackOff = time.Second
)

// Serve accepts connections on l and serves them until Shutdown, when it returns
// ErrServerClosed, or until l fails for good. It may be called for several
// listeners. l is closed when it returns; the connections it accepted live
// on.
func (s *Server) Serve(l net.Listener) error {
	defer l.Close()
	if !s.addListener(l) {
		return ErrServerClosed
	}
	defer s.removeListener(l)
	name := listenerName(l)
	for {
		if err := s.waitSlot(name); err != nil {
			return err
		}
		c, err := s.accept(l)
		if err != nil {
			<-s.slots
			return err
		}
		if !s.allows(c) {
			s.deny(c, name)
			<-s.slots
			continue
		}
		s.start(newConn(c, s.options.Timeouts), name)
	}
}

// allows reports whether a connection is one of this machine or of
// Options.Allow.
func (s *Server) allows(c net.Conn) bool {
	client, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return true // a Unix socket: its permissions decide
	}
	address := client.AddrPort().Addr().Unmap()
	return address.IsLoopback() ||
		slices.ContainsFunc(s.options.Allow, func(network netip.Prefix) bool { return network.Contains(address.WithZone("")) })
}

// deny turns a connection away.
func (s *Server) deny(c net.Conn, listener string) {
	s.counts.denied.Add(1)
	s.options.Log.Warn("connection refused", "listener", listener, "reason", "not-allowed", "client", c.RemoteAddr().String())
	_ = c.Close()
}

// start serves c on a goroutine of its own, unless the server is closing.
func (s *Server) start(c *conn, listener string) {
	if !s.addConn(c) {
		_ = c.link.close()
		<-s.slots
		return
	}
	s.counts.served.Add(1)
	go func() {
		defer func() { <-s.slots }()
		defer s.running.Done()
		s.serveConn(c, listener)
	}()
}

// waitSlot waits until another connection may be served. An MTA meanwhile waits
// in the listener's queue, which is better than being turned away.
func (s *Server) waitSlot(listener string) error {
	select {
	case s.slots <- struct{}{}:
		return nil
	default:
	}
	s.counts.atLimit.Add(1)
	s.options.Log.Warn("connection limit reached", "listener", listener, "limit", s.options.MaxConnections)
	select {
	case s.slots <- struct{}{}:
		return nil
	case <-s.done:
		return ErrServerClosed
	}
}

// accept accepts one connection. Errors that pass are waited out.
func (s *Server) accept(l net.Listener) (net.Conn, error) {
	pause := minBackOff
	for {
		c, err := l.Accept()
		if err == nil {
			return c, nil
		}
		select {
		case <-s.done:
			return nil, ErrServerClosed
		default:
		}
		if !temporary(err) {
			return nil, err
		}
		s.options.Log.Warn("accept", "error", err, "retry", pause)
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-s.done:
			timer.Stop()
			return nil, ErrServerClosed
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
