package httpapi

import (
	"fmt"
	"net/http"
)

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
