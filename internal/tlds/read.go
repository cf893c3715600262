package tlds

import (
	"errors"
	"fmt"
	"io"
)

// maxSize is the largest size of a list, in bytes. IANA's list has 10,000.
const maxSize = 1 << 20

// errTooLarge is the error of readAll beyond maxSize.
var errTooLarge = errors.New("larger than any list of top-level domains")

// readAll reads up to maxSize bytes.
func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("%w: over %d bytes", errTooLarge, maxSize)
	}
	return text, nil
}
