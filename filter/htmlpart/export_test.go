package htmlpart

import (
	"context"
	"iter"
)

// ReadAlways is Read that reads the trees of regular sources, too.
func ReadAlways(ctx context.Context, source string, limit int) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := newReader(ctx, source, limit, yield)
		r.always = true
		r.run()
	}
}
