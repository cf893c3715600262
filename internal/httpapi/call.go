package httpapi

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
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

// A problem is why a request was not carried out.
type problem struct {
	status int
	text   string // says what to do
	header [2]string
	// close says that the answer is the last one of its connection.
	close bool
}

func (p *problem) Error() string { return p.text }

// problemf returns a problem with a formatted text.
func problemf(status int, format string, args ...any) *problem {
	return &problem{status: status, text: fmt.Sprintf(format, args...)}
}

// busy is the problem of a server without memory or time for a request.
func busy(text string) *problem {
	return &problem{status: http.StatusServiceUnavailable, text: text, header: [2]string{"Retry-After", "1"}}
}

// with adds a field to the header of the answer.
func (p *problem) with(name, value string) *problem {
	p.header = [2]string{name, value}
	return p
}

// closing makes the answer the last one of its connection.
func (p *problem) closing() *problem {
	p.close = true
	return p
}

// answerList writes an object with the fields of head, a list, and a message in base64
// unless that is nil. It needs no memory for the whole: a message may be large, and a list
// long.
func answerList[T any](c *call, head any, name string, list []T, message []byte) error {
	fields, err := marshal(head)
	if err != nil {
		return err
	}
	c.begin(http.StatusOK)
	// An error of writing means that the client is gone. It stays in out.
	out := bufio.NewWriterSize(c.w, 32<<10)
	fields = bytes.TrimSuffix(fields, []byte("}\n"))
	_, _ = out.Write(fields)
	if len(fields) > len("{") {
		_ = out.WriteByte(',')
	}
	_, _ = out.WriteString(strconv.Quote(name) + ":[")
	for i := range list {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		item, err := marshal(&list[i])
		if err != nil {
			return err
		}
		_, _ = out.Write(bytes.TrimSuffix(item, []byte("\n")))
	}
	_ = out.WriteByte(']')
	if message != nil {
		_, _ = out.WriteString(`,"message":"`)
		encoder := base64.NewEncoder(base64.StdEncoding, out)
		_, _ = encoder.Write(message)
		_ = encoder.Close()
		_ = out.WriteByte('"')
	}
	_, _ = out.WriteString("}\n")
	_ = out.Flush()
	return nil
}

const (
	// linkSize is the size of a text for which Work counts as much as for a link in a report,
	// about 1 KiB: it counts eight times the size.
	linkSize = 1024 / 8
	// longLink is the memory for the work on a link of many parts, as a multiple of that on
	// a message of its size.
	longLink = 8
	// shortestString is the size of an empty string in a list, in bytes.
	shortestString = len(`"",`)
	// recordSize is about the size of a record in bytes, beside its texts.
	recordSize = 512
	// textFactor is the memory for the texts of an answer about links, as a multiple of the
	// request: its forms, and all in JSON. One link may be almost all of the request.
	textFactor = 8
)

// work waits for the memory for the work on a text of size bytes, whose links need more
// bytes. The function that it returns ends the work.
func (c *call) work(size int, links int64) (end func(), err error) {
	need := max(int64(size), min(links, c.Budget().Limits().Memory/3))
	granted, end := c.Work(need)
	if granted < need {
		end()
		return nil, busy("no memory for another request (limits.memory): try again")
	}
	return end, nil
}
