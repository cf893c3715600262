package main

import (
	"context"
	"iter"
	"runtime"
)

// A job is an item and what becomes of it.
type job[T, R any] struct {
	item T
	err  error // in place of the item
	done chan R
}

// inOrder applies work to each item on all processors. It yields the results in the order
// of the items, with their errors between them, and stays a bounded number of items ahead.
// When ctx ends, it yields what is done, and does not wait for more.
func inOrder[T, R any](ctx context.Context, items iter.Seq2[T, error], work func(T) R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		workers := runtime.GOMAXPROCS(0)
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		jobs := make(chan *job[T, R], 16*workers)
		queue := make(chan *job[T, R], 16*workers)
		go feed(ctx, items, jobs, queue)
		for range workers {
			go func() {
				for j := range jobs {
					j.done <- work(j.item)
				}
			}()
		}
		for j := range received(ctx, queue) {
			var result R
			if j.err == nil {
				r, ok := receive(ctx, j.done)
				if !ok {
					return
				}
				result = r
			}
			if !yield(result, j.err) {
				return
			}
		}
	}
}

// feed gives each item as a job to the workers and to the queue of results.
func feed[T, R any](ctx context.Context, items iter.Seq2[T, error], jobs, queue chan<- *job[T, R]) {
	defer close(jobs)
	defer close(queue)
	for item, err := range items {
		j := &job[T, R]{item, err, make(chan R, 1)}
		select {
		case queue <- j:
		case <-ctx.Done():
			return
		}
		if err != nil {
			continue
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			return
		}
	}
}

// received yields what comes through a channel, after the end of ctx what is there.
func received[T any](ctx context.Context, from <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			value, ok := receive(ctx, from)
			if !ok || !yield(value) {
				return
			}
		}
	}
}

// receive waits for a value until ctx ends. It returns false if none comes.
func receive[T any](ctx context.Context, from <-chan T) (value T, ok bool) {
	select {
	case value, ok = <-from:
		return value, ok
	case <-ctx.Done():
	}
	select {
	case value, ok = <-from:
	default:
	}
	return value, ok
}
