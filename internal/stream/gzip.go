package stream

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// GzipMagic is what content in gzip begins with (RFC 1952 §2.3.1). No message or other text does.
const GzipMagic = "\x1F\x8B"

// readSize is the number of bytes that a reader has in memory. Most files are short messages: a
// larger buffer takes longer to clear than they take to read.
const readSize = 16 << 10

// Unzipped returns a reader of the content of r, which it decompresses if gzip compressed it.
func Unzipped(r io.Reader) (*bufio.Reader, error) {
	content := bufio.NewReaderSize(r, readSize)
	begin, err := content.Peek(len(GzipMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(begin) != GzipMagic {
		return content, nil
	}
	decompressed, err := gzip.NewReader(content)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(decompressed, readSize), nil
}
