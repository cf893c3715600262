package htmlpart

import (
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// checkEvery is the number of bytes after which the reader checks the context.
const checkEvery = 64 << 10

// reader is what all passes over a source have in common.
type reader struct {
	ctx     context.Context
	source  string
	limit   int
	base    string // of relative references; "" without one
	yield   func(Item, error) bool
	stopped bool  // the caller wants no more items
	spent   int   // bytes read since the context was asked
	err     error // of the context

	visible, hidden run // texts that are not yet complete
}

// newTokenizer returns a tokenizer with the limit, which ends when the context does.
func (r *reader) newTokenizer(source string) *html.Tokenizer {
	z := html.NewTokenizer(&metered{reader: r, source: source})
	z.SetMaxBuf(r.limit)
	return z
}

// metered gives the tokenizer a little of the source at a time, however long a tag is,
// and nothing more after the context has ended.
type metered struct {
	*reader
	source string
}

func (m *metered) Read(p []byte) (int, error) {
	if m.source == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), checkEvery/4)], m.source)
	m.source = m.source[n:]
	return n, m.spend(n)
}

// spend counts n bytes as read, and asks the context every so many. Its error stays.
func (r *reader) spend(n int) error {
	if r.spent += n; r.spent >= checkEvery/4 && r.err == nil {
		r.spent, r.err = 0, r.ctx.Err()
	}
	return r.err
}

// check returns an error where the caller wants no more. A context that has ended
// shows at the end of the tokens, a few KiB later.
func (r *reader) check() error {
	if r.stopped {
		return errStopped
	}
	return nil
}

// errStopped says that the caller wants no more items.
var errStopped = errors.New("stopped")

// flush completes the texts.
func (r *reader) flush() {
	r.emit(&r.visible, false)
	r.emit(&r.hidden, true)
}

// emit yields a text that is complete, unless it is blank.
func (r *reader) emit(t *run, hidden bool) {
	if len(t.pieces) == 0 {
		return
	}
	if text := t.text(); strings.TrimSpace(text) != "" {
		first, last := t.pieces[0], t.pieces[len(t.pieces)-1]
		r.send(Item{Text: text, Hidden: hidden, Start: first.source, End: last.source + last.size, pieces: t.pieces})
	}
	t.reset()
}

// send yields an item.
func (r *reader) send(i Item) {
	if !r.stopped && !r.yield(i, nil) {
		r.stopped = true
	}
}
