package htmledit

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Prove reports whether the splices of a source, which are sorted and do not overlap, change
// what they are to change and nothing else. It compares the source with the result, as trees
// for readers with and without scripts, and as tokens. The error wraps [ErrUnproved].
//
// If some Sure splices must not be made, it proves nothing and returns which they are: readers
// do not agree on the place, or want its text as it is. That is code, quoted text, and
// another link than Around says.
func Prove(source string, splices []Splice) (unsure []bool, err error) {
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
	after := Apply(source, splices)
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

// sameAttributes reports whether two elements have the same attributes, in any order: the
// parser sorts those of some elements.
func sameAttributes(a, b []html.Attribute) bool {
	if slices.Equal(a, b) {
		return true
	}
	byName := func(a, b html.Attribute) int { return strings.Compare(nameOf(a), nameOf(b)) }
	return len(a) == len(b) && slices.EqualFunc(slices.SortedFunc(slices.Values(a), byName), slices.SortedFunc(slices.Values(b), byName),
		func(a, b html.Attribute) bool { return a.Val == b.Val && nameOf(a) == nameOf(b) })
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
