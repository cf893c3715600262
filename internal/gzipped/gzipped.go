// Package gzipped reads files that may be compressed by gzip.
//
// It must not import other packages of linkmilter.
package gzipped

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// Magic is what content in gzip begins with (RFC 1952 §2.3.1). No message or other text does.
const Magic = "\x1F\x8B"

// readSize is the number of bytes that a reader has in memory. Most files are messages, which are
// short, and to clear more takes longer than to read one.
const readSize = 16 << 10

// NewReader returns a reader of the content of r, which it decompresses if gzip compressed it.
func NewReader(r io.Reader) (*bufio.Reader, error) {
	content := bufio.NewReaderSize(r, readSize)
	begin, err := content.Peek(len(Magic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(begin) != Magic {
		return content, nil
	}
	decompressed, err := gzip.NewReader(content)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(decompressed, readSize), nil
}
