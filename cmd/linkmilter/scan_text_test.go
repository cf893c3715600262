package main

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestUntil: values come in order with their errors. When the context ends, nothing waits for a
// value that is still being made.
func TestUntil(t *testing.T) {
	broken := errors.New("broken")
	count := func(yield func(int, error) bool) {
		for i := range 5 {
			if !yield(i, nil) {
				return
			}
		}
		yield(5, broken)
	}
	var got []int
	var last error
	for i, err := range until(t.Context(), count) {
		got, last = append(got, i), err
	}
	if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5}) || !errors.Is(last, broken) {
		t.Errorf("%v, %v", got, last)
	}
	for i := range until(t.Context(), count) {
		if i == 2 {
			break
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	blocked := func(yield func(int, error) bool) {
		if yield(0, nil) {
			select {} // as a terminal on which the user types nothing
		}
	}
	for range until(ctx, blocked) {
		stop()
	}
}
