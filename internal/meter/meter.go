// Package meter lets work on long inputs end with its context.
//
// It must not import other packages of linkmilter.
package meter

import (
	"context"
	"io"
)

// Every is the number of bytes of input between two checks of the context.
const Every = 64 << 10

// A Meter checks a context every [Every] bytes of input.
type Meter struct {
	ctx   context.Context
	spent int
	err   error // error of the context, once it has ended
}

// New returns a Meter that checks ctx.
func New(ctx context.Context) *Meter { return &Meter{ctx: ctx} }

// Spend counts n bytes of input. It returns the error of a context that has ended.
func (m *Meter) Spend(n int) error {
	if m.spent += n; m.spent >= Every && m.err == nil {
		m.spent, m.err = 0, m.ctx.Err()
	}
	return m.err
}

// Err returns the error that Spend returned last.
func (m *Meter) Err() error { return m.err }

// InPieces passes input to sink in pieces of at most [Every] bytes. It returns the error
// of sink, or that of a context that has ended.
func (m *Meter) InPieces(input []byte, sink func([]byte) error) error {
	for len(input) > Every {
		if err := sink(input[:Every]); err != nil {
			return err
		}
		if err := m.Spend(Every); err != nil {
			return err
		}
		input = input[Every:]
	}
	return sink(input)
}

// Reader returns a reader of a text that fails when ctx ends. It returns small pieces, so that a
// parser soon notices.
func Reader(ctx context.Context, text string) io.Reader { return &reader{ctx, text} }

type reader struct {
	ctx  context.Context
	rest string
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	const piece = 4 << 10
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.rest == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), piece)], r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
