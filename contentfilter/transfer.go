package contentfilter

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// earlyReply is how long transfer waits for a reply after a failed write. A server that
// refuses a message in the middle sends a reply and closes the connection.
const earlyReply = time.Second

// transfer sends DATA and the content of a message, and returns want replies (LMTP has
// one for each recipient). rest follows content and may be nil. If reading it fails, the
// connection closes before the end of the message, and the error is errSource.
//
// If the next hop refuses DATA, or the message in the middle, there is one reply for all
// recipients. The replies before an error count.
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
		// If the next hop replies before the end of the message, it can only refuse it.
		return h.early(hopError("content", errNonsense))
	}
	if err := w.end(); err != nil {
		// An error means that the next hop did not get the end of the message.
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

// errSource: reading the rest of a message failed.
var errSource = errors.New("reading the rest of the message")

// sourceError is errSource with its reason.
func sourceError(err error) error { return fmt.Errorf("%w: %w", errSource, err) }

// stream copies the rest of a message while it arrives.
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
		// An empty write returns the error of an earlier write.
		if _, err := h.out.Write(nil); err != nil {
			return hopError("content", err)
		}
	}
}

// early closes the connection in the middle of a message. If the next hop sent a refusal
// before, early returns it as the reply.
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
