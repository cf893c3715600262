package main

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"testing"
)

// numbered yields n numbers; in place of each seventh it yields an error.
func numbered(n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			var err error
			if i%7 == 6 {
				err = fmt.Errorf("item %d", i)
			}
			if !yield(i, err) {
				return
			}
		}
	}
}

// The results and the errors come in the order of the items, on any number of
// processors.
func TestInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(processors)
		var want, got []string
		for i, err := range numbered(1000) {
			if err != nil {
				i = 0
			}
			want = append(want, fmt.Sprint(2*i, err))
		}
		for result, err := range inOrder(t.Context(), numbered(1000), func(i int) int {
			if i%10 == 0 {
				runtime.Gosched()
			}
			return 2 * i
		}) {
			got = append(got, fmt.Sprint(result, err))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d processors: got %d results, want %d in order", processors, len(got), len(want))
		}
	}
}

// When the context ends, the results end, although an item is still being made or worked
// on; when the caller stops, nothing more is wanted.
func TestInOrderEnds(t *testing.T) {
	one := func(yield func(string, error) bool) { yield("first", nil) }
	blocked := func(yield func(string, error) bool) {
		if yield("first", nil) {
			<-t.Context().Done() // as a terminal without input
		}
	}
	oneOfTwo := func(yield func(string, error) bool) { _ = yield("first", nil) && yield("blocked", nil) }
	work := func(name string) string {
		if name == "blocked" {
			<-t.Context().Done() // as a file on a server that does not answer
		}
		return name
	}
	for name, items := range map[string]iter.Seq2[string, error]{"one": one, "blocked": blocked, "one of two": oneOfTwo} {
		ctx, cancel := context.WithCancel(t.Context())
		var got []string
		for name := range inOrder(ctx, items, work) {
			got = append(got, name)
			cancel()
		}
		if cancel(); !slices.Equal(got, []string{"first"}) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	for range inOrder(t.Context(), numbered(1000), func(i int) int { return i }) {
		break
	}
}
