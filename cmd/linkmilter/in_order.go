package main

import (
	"context"
	"iter"
	"runtime"

	"golang.org/x/sync/semaphore"
)

// maxWaiting bounds the bytes of messages that wait for their turn or are in work.
const maxWaiting = 32 << 20

// A job is an input and what becomes of it.
type job[T any] struct {
	input input
	err   error // why it could not be read
	done  chan T
}

// inOrder applies work to each input on all processors, and yields the results in the
// order of the inputs, with the errors of reading between them. It holds inputs of
// [maxWaiting] bytes at most, or one larger than that. When ctx ends, it yields those
// that it has begun, and does not wait for one that is still being read.
func inOrder[T any](ctx context.Context, inputs inputSeq, work func(input) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		workers := runtime.GOMAXPROCS(0)
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		room := semaphore.NewWeighted(maxWaiting)
		jobs := make(chan *job[T], 64*workers)
		queue := make(chan *job[T], 64*workers)
		go feed(ctx, inputs, room, jobs, queue)
		for range workers {
			go func() {
				for j := range jobs {
					j.done <- work(j.input)
				}
			}()
		}
		for j := range begun(ctx, queue) {
			var result T
			if j.err == nil {
				result = <-j.done
			}
			room.Release(weight(j.input))
			if !yield(result, j.err) {
				return
			}
		}
	}
}

// feed reads the inputs, and gives each as a job to the workers and to the queue of
// results.
func feed[T any](ctx context.Context, inputs inputSeq, room *semaphore.Weighted, jobs, queue chan<- *job[T]) {
	defer close(jobs)
	defer close(queue)
	for in, err := range inputs {
		if room.Acquire(ctx, weight(in)) != nil {
			return
		}
		j := &job[T]{in, err, make(chan T, 1)}
		if err == nil {
			jobs <- j
		}
		select {
		case queue <- j:
		case <-ctx.Done():
			return
		}
	}
}

// begun yields the jobs of the queue, after the end of ctx those that are there.
func begun[T any](ctx context.Context, queue <-chan *job[T]) iter.Seq[*job[T]] {
	return func(yield func(*job[T]) bool) {
		for {
			var j *job[T]
			select {
			case j = <-queue:
			case <-ctx.Done():
				select {
				case j = <-queue:
				default:
				}
			}
			if j == nil || !yield(j) {
				return
			}
		}
	}
}

// weight is what an input counts towards [maxWaiting].
func weight(in input) int64 { return int64(min(len(in.raw), maxWaiting)) }
