package htmlpart

import (
	"context"
	"iter"
)

// ReadAlways is Read that reads the trees of regular sources, too.
func ReadAlways(ctx context.Context, source string, limit int, _ ...string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := newReader(ctx, source, limit, yield)
		r.always = true
		r.run()
	}
}

// IsRegular reports whether [Read] does not read the tree of a source.
func IsRegular(ctx context.Context, source string, limit int) bool {
	r := newReader(ctx, source, limit, func(Item, error) bool { return true })
	r.run()
	return !r.irregular
}

// LeavesOut reports whether [Read] reads a tree of a source without what is settled, and nothing else of it.
func LeavesOut(ctx context.Context, source string, limit int) bool {
	r := newReader(ctx, source, limit, func(Item, error) bool { return true })
	r.run()
	return r.irregular && r.hasOneTree() && r.readShort()
}
