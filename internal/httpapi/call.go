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
	c.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.begin(status)
	_, _ = c.w.Write(body) // the client is gone otherwise
}

// begin writes the header of an answer in JSON.
func (c *call) begin(status int) {
	c.status = status
	h := c.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	c.w.WriteHeader(status)
}

// marshal returns an object in JSON as the commands print it, without escapes for HTML.
func marshal(object any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(object)
	return b.Bytes(), err
}
