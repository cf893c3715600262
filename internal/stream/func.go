// Package stream has helpers for reading and writing files and connections: readers and writers
// made from functions, readers of content that gzip may have compressed, and byte order marks.
//
// It must not import other packages of linkmilter.
package stream

// A Reader is an io.Reader whose Read is the function.
type Reader func(p []byte) (int, error)

// Read calls the function.
func (f Reader) Read(p []byte) (int, error) { return f(p) }

// A Writer is an io.Writer whose Write is the function.
type Writer func(p []byte) (int, error)

// Write calls the function.
func (f Writer) Write(p []byte) (int, error) { return f(p) }
