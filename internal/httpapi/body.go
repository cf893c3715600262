package httpapi

import (
	"errors"
	"io"
	"net/http"
	"os"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// maxJSON is the size in bytes of the largest body in JSON.
const maxJSON = 2 << 20

// A body keeps the error of reading it.
type body struct {
	io.Reader
	err error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// message reads the body as a message. The caller must call Free of the result.
func (c *call) message() (*mailserver.Collected, error) {
	limit := c.Budget().Limits().MaxMessage
	tooLarge := problemf(http.StatusRequestEntityTooLarge, "message too large (want at most %d bytes, limits.message)", limit).closing()
	if c.r.ContentLength > limit {
		return nil, tooLarge
	}
	collected, err := c.collect(c.r.Body)
	switch {
	case err != nil:
		return nil, err
	case !collected.Whole:
		collected.Free()
		return nil, tooLarge
	case len(collected.Raw) == 0:
		return nil, problemf(http.StatusBadRequest, "no message (want it as the body)")
	}
	return collected, nil
}

// collect reads content within the memory for messages.
func (c *call) collect(content io.Reader) (*mailserver.Collected, error) {
	b := &body{Reader: content}
	collected := mailserver.Collect(b, max(c.r.ContentLength, 0), c.Budget())
	var p *problem
	switch {
	case errors.Is(b.err, os.ErrDeadlineExceeded):
		p = problemf(http.StatusRequestTimeout, "request too slow (http.request_timeout)").closing()
	case b.err != nil:
		p = problemf(http.StatusBadRequest, "body incomplete").closing()
	case collected.Short:
		p = busy("no memory for another message (limits.memory): try again").closing()
	default:
		return collected, nil
	}
	collected.Free()
	return nil, p
}

// json reads the body, which should be JSON. The caller must call Free of the result.
func (c *call) json() (*mailserver.Collected, error) {
	tooLarge := problemf(http.StatusRequestEntityTooLarge, "JSON too large (want at most %d bytes: send several requests)", maxJSON).closing()
	if c.r.ContentLength > maxJSON {
		return nil, tooLarge
	}
	collected, err := c.collect(io.LimitReader(c.r.Body, maxJSON+1))
	if err != nil {
		return nil, err
	}
	if len(collected.Raw) > maxJSON {
		collected.Free()
		return nil, tooLarge
	}
	return collected, nil
}
