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
	status int // status of the answer; 0: no answer was written yet
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

// A problem says why a request was not carried out.
type problem struct {
	status int
	text   string // says what the client can do
	header [2]string
	// close says that the connection ends after the answer.
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

// closing makes the connection end after the answer.
func (p *problem) closing() *problem {
	p.close = true
	return p
}

// answerList writes an object with the fields of head, a list, and a message in base64 unless that
// is nil. It writes piece by piece, because a message may be large and a list long.
func answerList[T any](c *call, head any, name string, list []T, message []byte) error {
	fields, err := marshal(head)
	if err != nil {
		return err
	}
	c.begin(http.StatusOK)
	// An error of writing means that the client is gone. out remembers it.
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
	// linkSize is the size of a text that stands for a link in calls of Work. A link takes about 1
	// KiB in a report, and Work reserves eight times the size of a text.
	linkSize = 1024 / 8
	// longLink is how many times as much memory a link with many parts takes as a message of the
	// same size.
	longLink = 8
	// shortestString is the size of an empty string in a list, in bytes.
	shortestString = len(`"",`)
	// recordSize is about the size of a record in bytes, apart from its texts.
	recordSize = 512
	// textFactor is how many times as long as the request the texts of an answer about links may
	// be: an answer has several forms of each link, all in JSON. One link may be nearly the whole
	// request.
	textFactor = 8
)

// work waits until there is memory for a text of size bytes and links bytes for its links. The
// function that it returns ends the work.
func (c *call) work(size int, links int64) (end func(), err error) {
	need := max(int64(size), min(links, c.Budget().Limits().Memory/3))
	granted, end := c.Work(need)
	if granted < need {
		end()
		return nil, busy("no memory for another request (limits.memory): try again")
	}
	return end, nil
}
