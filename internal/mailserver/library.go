package mailserver

import (
	"io"
	"net"
)

// A LogFunc is a logger for libraries. Its Printf calls the function, and its Println does nothing.
type LogFunc func(format string, args ...any)

// Printf calls the function.
func (f LogFunc) Printf(format string, args ...any) { f(format, args...) }

// Println does nothing.
func (f LogFunc) Println(...any) {}

// A LibraryConn is the connection that a library gets in place of the client's, It embeds the
// client's connection for addresses and deadlines.
type LibraryConn struct {
	net.Conn
	OnRead  func(p []byte) (int, error) // returns the bytes that the library shall read
	OnWrite func(p []byte) (int, error) // gets the replies of the library
	OnClose func() error
}

// Read returns the bytes that the library shall read.
func (c *LibraryConn) Read(p []byte) (int, error) { return c.OnRead(p) }

// Write gets the replies of the library.
func (c *LibraryConn) Write(p []byte) (int, error) { return c.OnWrite(p) }

// Close ends the connection.
func (c *LibraryConn) Close() error { return c.OnClose() }

// Single is a listener that yields one connection and then waits. It is for libraries whose servers
// need a listener.
type Single struct {
	Conn   net.Conn
	Closed <-chan struct{} // Accept fails with io.EOF when it is closed

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
