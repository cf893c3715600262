package filter

import (
	"context"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/policy"
)

// honest remembers which links of HTML match the text that is shown for them, as hashes of
// both. So the reading after an edit does not compare them again. A nil one remembers
// nothing.
type honest struct {
	texts  []uint64
	sorted bool // all readings before edits are over
}

// maxHonest bounds the links that are remembered.
const maxHonest = 1 << 14

// sort ends the readings before edits.
func (h *honest) sort() {
	if h != nil && !h.sorted {
		slices.Sort(h.texts)
		h.sorted = true
	}
}

// shownFor judges what is shown for a reference.
func (h *honest) shownFor(ctx context.Context, j *judge, item *page.Item, link engine.Link) []policy.Finding {
	namesNothing := !mayHoldLink(item.Text) && len(item.Labels) == 0 && len(item.Readings) == 0
	if h == nil || namesNothing || !h.sorted && len(h.texts) == maxHonest {
		return j.shownFor(ctx, item, link)
	}
	key := hashOf(item, &link)
	if h.sorted {
		if _, ok := slices.BinarySearch(h.texts, key); ok {
			return nil
		}
	}
	more := j.shownFor(ctx, item, link)
	if !h.sorted && len(more) == 0 && ctx.Err() == nil {
		h.texts = append(h.texts, key)
	}
	return more
}

var honestSeed = maphash.MakeSeed()

// hashOf returns a hash of a link and of all that is shown for it.
func hashOf(item *page.Item, link *engine.Link) uint64 {
	const odd = 0x9e3779b97f4a7c15
	hash := uint64(len(item.Labels))
	write := func(s string) { hash = bits.RotateLeft64(hash, 29)*odd ^ maphash.String(honestSeed, s) }
	write(link.Text)
	write(item.Text)
	for _, texts := range [...][]string{item.Labels, item.Readings} {
		for _, s := range texts {
			write(s)
		}
	}
	return hash
}
