package mailserver

import "net"

// A ReaderFunc is an io.Reader whose Read is the function.
type ReaderFunc func(p []byte) (int, error)

// Read calls the function.
func (f ReaderFunc) Read(p []byte) (int, error) { return f(p) }

// A WriterFunc is an io.Writer whose Write is the function.
type WriterFunc func(p []byte) (int, error)

// Write calls the function.
func (f WriterFunc) Write(p []byte) (int, error) { return f(p) }

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
	ReaderFunc // delivers what the library shall read
	WriterFunc // takes what the library replies
	OnClose    func() error
}

// Read delivers what the library shall read.
func (c *LibraryConn) Read(p []byte) (int, error) { return c.ReaderFunc(p) }

// Write takes what the library replies.
func (c *LibraryConn) Write(p []byte) (int, error) { return c.WriterFunc(p) }

// Close ends the connection.
func (c *LibraryConn) Close() error { return c.OnClose() }
