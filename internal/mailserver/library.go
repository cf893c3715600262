package mailserver

import "net"

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
