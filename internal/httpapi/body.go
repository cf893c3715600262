package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"unicode/utf8"

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

// message reads the body as a message. Free must follow.
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

// decode reads the body as an object in JSON. Free must follow.
func (c *call) decode(object any, want string) (*mailserver.Collected, error) {
	if c.r.ContentLength > maxJSON {
		return nil, jsonTooLarge()
	}
	collected, err := c.collect(io.LimitReader(c.r.Body, maxJSON+1))
	if err != nil {
		return nil, err
	}
	if err := decode(collected.Raw, object, want); err != nil {
		collected.Free()
		return nil, err
	}
	return collected, nil
}

func jsonTooLarge() *problem {
	return problemf(http.StatusRequestEntityTooLarge, "JSON too large (want at most %d bytes: send several requests)", maxJSON).closing()
}

func decode(raw []byte, object any, want string) error {
	if len(raw) > maxJSON {
		return jsonTooLarge()
	}
	if !utf8.Valid(raw) {
		return problemf(http.StatusBadRequest, "not UTF-8 (want %s)", want)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(object)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more behind the object")
		}
	}
	if err != nil {
		return problemf(http.StatusBadRequest, "not valid: %s (want %s)", err, want)
	}
	return nil
}
