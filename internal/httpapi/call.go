package httpapi

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
)

// A call is a request with its answer.
type call struct {
	*core
	w      http.ResponseWriter
	r      *http.Request
	log    *slog.Logger
	status int // of the answer; 0: none yet
}

// answer writes an object in JSON.
func (c *call) answer(object any) error {
	body, err := marshal(object)
	if err != nil {
		return err
	}
	c.write(http.StatusOK, body)
	return nil
}

// refuse writes a problem.
func (c *call) refuse(p *problem) {
	if p.header[0] != "" {
		c.w.Header().Set(p.header[0], p.header[1])
	}
	if p.close {
		c.w.Header().Set("Connection", "close")
	}
	body, err := marshal(map[string]string{"error": p.text})
	if err != nil {
		body = []byte("{}")
	}
	c.write(p.status, body)
}

// write writes an answer in JSON, unless one was written before.
func (c *call) write(status int, body []byte) {
	if c.status != 0 {
		return
	}
	c.status = status
	h := c.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body) // the client is gone otherwise
}

// marshal returns an object in JSON as the commands print it, without escapes for HTML.
func marshal(object any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(object)
	return b.Bytes(), err
}
