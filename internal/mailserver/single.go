package mailserver

import (
	"io"
	"net"
)

// Single is a listener that yields one connection, and then waits: for a library
// whose server needs a listener.
type Single struct {
	Conn   net.Conn
	Closed <-chan struct{} // when it is closed, Accept fails with io.EOF

	taken bool
}

// Accept returns the connection. The second call waits until Closed is closed.
func (l *Single) Accept() (net.Conn, error) {
	if !l.taken {
		l.taken = true
		return l.Conn, nil
	}
	<-l.Closed
	return nil, io.EOF
}

// Close does nothing: the connection belongs to the caller.
func (l *Single) Close() error { return nil }

// Addr returns the local address of the connection.
func (l *Single) Addr() net.Addr { return l.Conn.LocalAddr() }
