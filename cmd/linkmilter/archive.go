package main

import (
	"bytes"
	"context"
	"io"
	"iter"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/gzipped"
)

// An archive is the messages of paths: of message files, mboxes, Maildirs, and folders
// of any of these; "-" is standard input. Beside those of at most [firstRead] bytes, one for
// each worker, it has messages of [maxInWork] bytes in memory, or one larger than that.
type archive[T any] struct {
	paths []string
	stdin io.Reader
	limit int // bytes of a message that are read
	// work is called for each message, on all processors. It must not keep the message.
	work func(input) T

	room    *semaphore.Weighted // for [maxInWork] bytes
	buffers sync.Pool           // of *[]byte
}

// maxInWork bounds the bytes of messages that are in work, or wait for it.
const maxInWork = 32 << 20

func newArchive[T any](paths []string, stdin io.Reader, limit int, work func(input) T) *archive[T] {
	return &archive[T]{
		paths: paths, stdin: stdin, limit: limit, work: work,
		room:    semaphore.NewWeighted(maxInWork),
		buffers: sync.Pool{New: func() any { return new([]byte) }},
	}
}

// results yields what work returns, in the order of the messages, until ctx ends. An error
// names a file that could not be read, or not to its end.
func (a *archive[T]) results(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		read := func(files []file) []worked[T] {
			all := make([]worked[T], len(files))
			for i, f := range files {
				all[i] = a.file(ctx, f)
			}
			return all
		}
		for all, err := range inOrder(ctx, together(files(a.paths)), read) {
			if err != nil {
				all = []worked[T]{{err: err}}
			}
			for _, r := range all {
				if r.isStream {
					if !a.stream(ctx, r.name, yield) {
						return
					}
				} else if !yield(r.value, r.err) {
					return
				}
			}
		}
	}
}

const (
	// filesTogether is the number of files that are handed over to a worker at once. It is
	// small, since what is handed over has to fit in the processor's cache.
	filesTogether = 4
	// filesAlone is the number of files before those: of a few large ones each processor
	// has its share.
	filesAlone = 64
)

// together yields files in groups, since it takes time to hand over each alone.
func together(files iter.Seq2[file, error]) iter.Seq2[[]file, error] {
	return func(yield func([]file, error) bool) {
		group, count := make([]file, 0, 1), 0
		for f, err := range files {
			if err == nil {
				group = append(group, f)
				count++
			}
			if isFull := len(group) == filesTogether || count <= filesAlone; len(group) > 0 && (err != nil || isFull) {
				if !yield(group, nil) {
					return
				}
				group = make([]file, 0, filesTogether)
			}
			if err != nil && !yield(nil, err) {
				return
			}
		}
		if len(group) > 0 {
			yield(group, nil)
		}
	}
}

// worked is what became of a file.
type worked[T any] struct {
	name     string
	isStream bool // its messages are still to be read, by [archive.stream]
	value    T
	err      error
}

// firstRead is the number of bytes of a file that are read to know what it is. Most
// messages are shorter.
const firstRead = 64 << 10

// file reads a file that has one message, and works on it.
func (a *archive[T]) file(ctx context.Context, f file) (w worked[T]) {
	if w.name, w.isStream = f.name, !f.regular; w.isStream {
		return w
	}
	opened, err := openRegular(f.name)
	if err != nil {
		w.err = err
		return w
	}
	defer opened.close()
	// The first bytes that each worker reads need no room: they are few.
	if opened.size > firstRead {
		weight := weight(opened.size)
		if w.err = a.room.Acquire(ctx, weight); w.err != nil {
			return w
		}
		defer a.room.Release(weight)
	}
	buffer := a.buffers.Get().(*[]byte)
	defer a.buffers.Put(buffer)
	if *buffer, w.err = opened.read((*buffer)[:0], min(a.limit, firstRead)); w.err != nil {
		return w
	}
	raw := *buffer
	text, _ := bom.Cut(raw)
	if w.isStream = isMbox(text) || bytes.HasPrefix(raw, []byte(gzipped.Magic)); w.isStream {
		return w
	}
	if int64(len(raw)) < opened.size {
		raw = append(make([]byte, 0, min(int64(a.limit), opened.size)), raw...)
		if raw, w.err = opened.read(raw, a.limit); w.err != nil {
			return w
		}
		text, _ = bom.Cut(raw)
	}
	w.value = a.work(input{f.name, text})
	return w
}

// stream works on the messages of a file that is read from its beginning to its end. It
// returns false if yield does.
func (a *archive[T]) stream(ctx context.Context, name string, yield func(T, error) bool) bool {
	inputs := func(yield func(input, error) bool) {
		for in, err := range fileMessages(name, a.stdin, a.limit) {
			if a.room.Acquire(ctx, weight(int64(len(in.raw)))) != nil || !yield(in, err) {
				return
			}
		}
	}
	work := func(in input) T {
		defer a.room.Release(weight(int64(len(in.raw))))
		return a.work(in)
	}
	for value, err := range inOrder(ctx, inputs, work) {
		if !yield(value, err) {
			return false
		}
	}
	return true
}

// weight is what a message of a size in bytes counts towards [maxInWork].
func weight(size int64) int64 { return min(size, maxInWork) }
