package htmledit

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Prove proves that splices change what they should and nothing else. They are sorted and do not
// overlap. It compares the source with the result as trees, for readers with and without scripts, and
// as tokens. It returns the result. The error wraps [ErrUnproved], also if ctx ended.
//
// If some Sure splices must not be made, it proves nothing and returns in unsure which they are.
// Readers do not agree on their place, or want the text unchanged: it is code, quoted text, or inside
// another link than Around says.
func Prove(ctx context.Context, source string, splices []Splice) (after string, unsure []bool, err error) {
	after = Apply(source, splices)
	m, err := newMarks(source, splices)
	if err != nil {
		return after, nil, err
	}
	var marked [][]event
	readers := m.readers()
	size := 2*strings.Count(m.source, "<") + 8 // room for a tag and a text at each "<"
	for _, read := range readers {
		events, err := read(ctx, make([]event, 0, size), m.source)
		if err != nil {
			return after, nil, unproved(err)
		}
		marked = append(marked, events)
	}
	if unsure := m.unsure(marked); unsure != nil {
		return after, unsure, nil
	}
	got := make([]event, 0, size+8*len(splices))
	for i, read := range readers {
		if got, err = read(ctx, got[:0], source); err != nil {
			return after, nil, unproved(err)
		}
		if err = m.compare(marked[i], got, false); err != nil {
			return after, nil, unproved(err)
		}
		if got, err = read(ctx, got[:0], after); err != nil {
			return after, nil, unproved(err)
		}
		if err = m.compare(marked[i], got, true); err != nil {
			return after, nil, unproved(err)
		}
	}
	return after, nil, nil
}

// compare compares the reading with marks to the reading got: that of the source or, if written is
// set, that of the result. Each marked event is expanded by itself, which is right because adjacent
// texts are one event.
func (m *marks) compare(marked, got []event, written bool) error {
	var r reading // the expansion of a marked event
	for i := range marked {
		want := marked[i : i+1]
		if m.isMarked(&marked[i]) {
			r.events = r.events[:0]
			m.expand(&r, marked[i], written)
			want = r.events
		}
		if len(got) < len(want) || !equal(want, got[:len(want)]) {
			return fmt.Errorf("another event than %d, %s", i, marked[i].name)
		}
		got = got[len(want):]
	}
	if len(got) > 0 {
		return fmt.Errorf("%d events more", len(got))
	}
	return nil
}

func equal(a, b []event) bool { return slices.EqualFunc(a, b, same) }

func same(a, b event) bool {
	return a.kind == b.kind && a.name == b.name && a.text == b.text && a.raw == b.raw && sameAttributes(a.attributes, b.attributes)
}
