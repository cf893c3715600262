package mime

import "context"

// checkEvery is the number of bytes of input between two checks of the context.
const checkEvery = 64 << 10

// A meter checks the context of a message every checkEvery bytes of input.
type meter struct {
	ctx   context.Context
	spent int
	err   error // of the context; it stays
}

// spend counts n bytes of input and returns the error of a context that has ended.
func (t *meter) spend(n int) error {
	if t.spent += n; t.spent >= checkEvery && t.err == nil {
		t.spent, t.err = 0, t.ctx.Err()
	}
	return t.err
}

// inPieces passes input on in pieces of at most checkEvery bytes, while the context
// has not ended.
func (t *meter) inPieces(input []byte, sink func([]byte) error) error {
	for len(input) > checkEvery {
		if err := sink(input[:checkEvery]); err != nil {
			return err
		}
		if err := t.spend(checkEvery); err != nil {
			return err
		}
		input = input[checkEvery:]
	}
	return sink(input)
}

// newMeter returns a meter that checks ctx.
func newMeter(ctx context.Context) *meter { return &meter{ctx: ctx} }

// decodedPiece is roughly how many bytes the decoders pass on at once.
const decodedPiece = 3 << 10
