package contentfilter

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// earlyReply is how long a reply is waited for after a write failed: a server that
// refuses a message in the middle says so and closes the connection.
const earlyReply = time.Second

// transfer hands over the content of a message after DATA and returns the
// replies, want of them (LMTP has one for each recipient). rest is what follows
// content, or nil; where it fails, the connection is closed without the end of the
// message, and the error is errSource.
//
// The replies are fewer where the next hop refused DATA, or the message in the
// middle: then the one holds for all recipients. Replies that came before
// an error count.
func (h *hop) transfer(content [][]byte, rest io.Reader, want int) ([]reply, error) {
	start, err := h.ask("DATA", "DATA")
	if err != nil {
		return nil, err
	}
	if start.code != 354 {
		if !start.negative() {
			return nil, hopError("DATA", fmt.Errorf("%w: %03d", errNonsense, start.code))
		}
		return []reply{start}, nil
	}
	h.busy = true
	w := &dotWriter{out: h.out}
	for _, piece := range content {
		w.write(piece)
	}
	if rest != nil {
		if err := h.stream(w, rest); err != nil {
			return h.early(err)
		}
	}
	if h.in.Buffered() > 0 || waiting(h.conn) {
		// A reply before the end of the message can only be a refusal.
		return h.early(hopError("content", errNonsense))
	}
	if err := w.end(); err != nil {
		// The end went out last, if at all: the next hop has the whole message only without an error.
		return h.early(hopError("content", err))
	}
	h.busy = false
	replies := make([]reply, 0, want)
	for range want {
		r, err := h.read("end of message", 2*h.options.Timeout)
		if err == nil && !r.positive() && !r.negative() {
			err = hopError("end of message", fmt.Errorf("%w: %03d", errNonsense, r.code))
		}
		if err != nil {
			return replies, err
		}
		replies = append(replies, r)
	}
	h.open = false
	return replies, nil
}

// errSource is that the rest of a message could not be read.
var errSource = errors.New("reading the rest of the message")

// sourceError is errSource with its reason.
func sourceError(err error) error { return fmt.Errorf("%w: %w", errSource, err) }

// stream copies the rest of a message as it comes.
func (h *hop) stream(w *dotWriter, rest io.Reader) error {
	buf := make([]byte, hopBuffer)
	for {
		n, err := rest.Read(buf)
		w.write(buf[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return sourceError(err)
		}
		// An empty write shows the error of an earlier one.
		if _, err := h.out.Write(nil); err != nil {
			return hopError("content", err)
		}
	}
}

// early closes the connection in the middle of a message. Where the next hop
// said why it does not want more of it, that is the reply.
func (h *hop) early(err error) ([]reply, error) {
	defer h.close()
	if errors.Is(err, errSource) {
		return nil, err
	}
	if r, readErr := h.read("content", earlyReply); readErr == nil && r.negative() {
		return []reply{r}, nil
	}
	return nil, err
}
