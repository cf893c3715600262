package acceptor

import (
	"io"
	"net"
)

// Single is a listener that yields one connection, and then waits: for a library
// whose server wants a listener.
type Single struct {
	Conn   net.Conn
	Closed <-chan struct{} // when it is closed, Accept fails with io.EOF

	taken bool
}

// Accept returns the connection, or waits until that is closed.
func (l *Single) Accept() (net.Conn, error) {
	if !l.taken {
		l.taken = true
		return l.Conn, nil
	}
	<-l.Closed
	return nil, io.EOF
}

// Close does nothing: the connection is somebody else's.
func (l *Single) Close() error { return nil }

// Addr returns the address of the connection.
func (l *Single) Addr() net.Addr { return l.Conn.LocalAddr() }
