package htmledit

import (
	"fmt"
	"slices"
	"strings"
)

// Prove reports whether the splices of a source, which are sorted and do not overlap, change
// what they are to change and nothing else. It compares the source with the result, which it
// returns, as trees for readers with and without scripts, and as tokens. The error wraps
// [ErrUnproved].
//
// If some Sure splices must not be made, it proves nothing and returns which they are: readers
// do not agree on the place, or want its text unchanged. That is code, quoted text, and
// another link than Around says.
func Prove(source string, splices []Splice) (after string, unsure []bool, err error) {
	after = Apply(source, splices)
	unsure, ok := proveDirectly(source, after, splices)
	if !ok {
		unsure, err = proveByMarks(source, after, splices)
	}
	return after, unsure, err
}

// proveDirectly is Prove for sources in which a text of the tree is that of a token. It
// reports false where it cannot tell.
func proveDirectly(source, after string, splices []Splice) (unsure []bool, ok bool) {
	d := &direct{
		source: source, after: after, splices: splices,
		tags: make(map[removedAttribute]bool), comments: make(map[[2]string]bool),
	}
	for i := range splices {
		d.sure = d.sure || splices[i].Sure
	}
	d.nesting.lost = strings.IndexByte(source, 0) >= 0
	if !d.compareTokens() {
		return nil, false
	}
	if d.unsure != nil {
		return d.unsure, true
	}
	return nil, !d.nesting.lost || d.compareTrees()
}

// proveByMarks is Prove with a third source, in which each splice writes a mark.
func proveByMarks(source, after string, splices []Splice) (unsure []bool, err error) {
	m, err := newMarks(source, splices)
	if err != nil {
		return nil, err
	}
	var marked [][]event
	for _, read := range m.readers() {
		events, err := read(m.source)
		if err != nil {
			return nil, unproved(err)
		}
		marked = append(marked, events)
	}
	if unsure := m.unsure(marked); unsure != nil {
		return unsure, nil
	}
	for i, read := range m.readers() {
		for _, side := range []struct {
			source  string
			written bool
		}{{source, false}, {after, true}} {
			got, err := read(side.source)
			if err != nil {
				return nil, unproved(err)
			}
			if want := m.expand(marked[i], side.written); !equal(want, got) {
				return nil, unproved(fmt.Errorf("at %s", difference(want, got)))
			}
		}
	}
	return nil, nil
}

func equal(a, b []event) bool { return slices.EqualFunc(a, b, same) }

func same(a, b event) bool {
	return a.kind == b.kind && a.name == b.name && a.text == b.text && a.raw == b.raw && sameAttributes(a.attributes, b.attributes)
}

// difference describes the first event in which two readings differ.
func difference(want, got []event) string {
	for i := range want {
		if i == len(got) || !same(want[i], got[i]) {
			return fmt.Sprintf("event %d, %s", i, want[i].name)
		}
	}
	return "the end"
}
