package filter

import (
	"context"
	"hash/maphash"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/htmlpart"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// honest are references of HTML without findings: another reading of the same part, after an
// edit, need not judge them again. A nil one remembers nothing. Most messages have no HTML,
// so the maps are made when they are needed.
type honest struct {
	links map[string]report.Found // by their texts
	texts map[uint64]struct{}     // hashes of links with what is shown for them
}

// maxHonest bounds the references that are remembered.
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

// found judges the link of a reference in a part. more are findings about what is shown for it.
func (h *honest) found(j *judge, part string, link engine.Link, flagged rule.Flagged, more []policy.Finding) report.Found {
	whole := len(link.Text) == link.End-link.Start
	if h == nil || len(more) > 0 || !whole {
		return j.found(part, link, flagged, more...)
	}
	if known, ok := h.links[link.Text]; ok && known.Link.Kind == link.Kind && known.Part == part {
		return known
	}
	found := j.found(part, link, flagged)
	if len(found.Verdict.Findings) == 0 && len(h.links) < maxHonest {
		if h.links == nil {
			h.links = make(map[string]report.Found)
		}
		h.links[link.Text] = found
	}
	return found
}

var honestSeed = maphash.MakeSeed()

// hashOf returns a hash of a link with what is shown for it.
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
