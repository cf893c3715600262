package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// numbered yields n inputs; each seventh cannot be read.
func numbered(n int) inputSeq {
	return func(yield func(input, error) bool) {
		for i := range n {
			var err error
			if i%7 == 6 {
				err = fmt.Errorf("input %d", i)
			}
			if !yield(input{name: fmt.Sprint(i), raw: make([]byte, i%50)}, err) {
				return
			}
		}
	}
}

// The results and the errors come in the order of the inputs, on any number of
// processors.
func TestInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(processors)
		var want, got []string
		for in, err := range numbered(1000) {
			want = append(want, fmt.Sprint(in.name, err))
		}
		i := 0
		for name, err := range inOrder(t.Context(), numbered(1000), func(in input) string {
			if in.raw != nil && len(in.raw)%10 == 0 {
				runtime.Gosched()
			}
			return in.name
		}) {
			if err != nil {
				name = fmt.Sprint(i)
			}
			got = append(got, fmt.Sprint(name, err))
			i++
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d processors: got %d results, want %d in order", processors, len(got), len(want))
		}
	}
}

// At most one message that is larger than the bound is in work, beside what fits.
func TestInOrderIsBounded(t *testing.T) {
	large := make([]byte, maxWaiting)
	var working, most atomic.Int32
	inputs := func(yield func(input, error) bool) {
		for range 8 {
			if !yield(input{raw: large}, nil) {
				return
			}
		}
	}
	for range inOrder(t.Context(), inputs, func(input) int {
		most.Store(max(most.Load(), working.Add(1)))
		time.Sleep(time.Millisecond)
		working.Add(-1)
		return 0
	}) {
		continue
	}
	if most.Load() != 1 {
		t.Errorf("%d large messages at once, want 1", most.Load())
	}
}

// When the context ends, the results end, also while an input is being read; when the
// caller stops, nothing more is wanted.
func TestInOrderEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	blocked := func(yield func(input, error) bool) {
		if yield(input{name: "first"}, nil) {
			<-t.Context().Done() // as a terminal without input
		}
	}
	var got []string
	for name := range inOrder(ctx, blocked, func(in input) string { return in.name }) {
		got = append(got, name)
		cancel()
	}
	if !slices.Equal(got, []string{"first"}) {
		t.Errorf("got %q", got)
	}
	for range inOrder(t.Context(), numbered(1000), func(input) int { return 0 }) {
		break
	}
}
