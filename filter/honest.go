package filter

import (
	"context"
	"hash/maphash"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/htmlpart"
	"github.com/linkmilter/linkmilter/policy"
)

// honest remembers which links of HTML match the text that is shown for them, as hashes of
// both. So the reading after an edit does not compare them again. A nil one remembers
// nothing. Most messages have no HTML, so the map is made on demand.
type honest struct{ texts map[uint64]struct{} }

// maxHonest bounds the links that are remembered.
const maxHonest = 1 << 14

// shownFor judges what is shown for a reference.
func (h *honest) shownFor(ctx context.Context, j *judge, item *htmlpart.Item, link engine.Link) []policy.Finding {
	if h == nil {
		return j.shownFor(ctx, item, link)
	}
	key := hashOf(item, &link)
	if _, ok := h.texts[key]; ok {
		return nil
	}
	more := j.shownFor(ctx, item, link)
	if len(more) == 0 && len(h.texts) < maxHonest && ctx.Err() == nil {
		if h.texts == nil {
			h.texts = make(map[uint64]struct{})
		}
		h.texts[key] = struct{}{}
	}
	return more
}

var honestSeed = maphash.MakeSeed()

// hashOf returns a hash of a link and of all that is shown for it.
func hashOf(item *htmlpart.Item, link *engine.Link) uint64 {
	var h maphash.Hash
	h.SetSeed(honestSeed)
	write := func(s string) {
		maphash.WriteComparable(&h, len(s))
		h.WriteString(s)
	}
	write(link.Text)
	write(item.Text)
	for _, texts := range [...][]string{item.Labels, item.Readings} {
		maphash.WriteComparable(&h, len(texts))
		for _, s := range texts {
			write(s)
		}
	}
	return h.Sum64()
}
