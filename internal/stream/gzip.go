package stream

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// GzipMagic is the beginning of gzip (RFC 1952 §2.3.1). No message or other text begins with it.
const GzipMagic = "\x1F\x8B"

// readSize is the size of a reader's buffer. Most files are short messages, and clearing a larger
// buffer takes longer than reading them.
const readSize = 16 << 10

// Unzipped returns a reader of the content of r, and decompresses it if it is in gzip.
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
