package mailserver

import (
	"io"
	"net"
)

// A LogFunc is the log of a library whose Printf is the function. It drops what comes
// without a format.
type LogFunc func(format string, args ...any)

// Printf calls the function.
func (f LogFunc) Printf(format string, args ...any) { f(format, args...) }

// Println does nothing.
func (f LogFunc) Println(...any) {}

// A LibraryConn is the connection that a library gets in place of the client's, which it
// embeds for its addresses and deadlines.
type LibraryConn struct {
	net.Conn
	OnRead  func(p []byte) (int, error) // delivers what the library shall read
	OnWrite func(p []byte) (int, error) // takes what the library replies
	OnClose func() error
}

// Read delivers what the library shall read.
func (c *LibraryConn) Read(p []byte) (int, error) { return c.OnRead(p) }

// Write takes what the library replies.
func (c *LibraryConn) Write(p []byte) (int, error) { return c.OnWrite(p) }

// Close ends the connection.
func (c *LibraryConn) Close() error { return c.OnClose() }

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
