package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"github.com/emersion/go-mbox"
	"golang.org/x/sync/semaphore"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// An archive reads the messages of paths: message files, mboxes, Maildirs, and folders of any of
// these; "-" is standard input. In memory it has at most [firstRead] bytes for each worker, and in
// addition messages of [maxInWork] bytes together, or one larger message.
type archive[T any] struct {
	paths []string
	stdin io.Reader
	limit int // how many bytes of a message are read
	// work is called for each message, on all processors. It must not keep the message.
	work func(input) T

	aside   int                 // files that hold no message and were skipped
	room    *semaphore.Weighted // limits memory to [maxInWork] bytes
	buffers sync.Pool           // of *[]byte
}

// maxInWork bounds in bytes the messages that are being worked on or wait for it.
const maxInWork = 32 << 20

func newArchive[T any](paths []string, stdin io.Reader, limit int, work func(input) T) *archive[T] {
	return &archive[T]{
		paths: paths, stdin: stdin, limit: limit, work: work,
		room:    semaphore.NewWeighted(maxInWork),
		buffers: sync.Pool{New: func() any { return new([]byte) }},
	}
}

// results yields the results of work, in the order of the messages, until ctx ends. An error names
// a file that could not be read, or not to its end.
func (a *archive[T]) results(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		read := func(files []file) []fileResult[T] {
			all := make([]fileResult[T], len(files))
			for i, f := range files {
				all[i] = a.file(ctx, f)
			}
			return all
		}
		for all, err := range inOrder(ctx, inGroups(withAside(a.paths)), read) {
			if err != nil {
				all = []fileResult[T]{{err: err}}
			}
			for _, r := range all {
				if r.isAside {
					a.aside++
				} else if r.isStream {
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
	// filesTogether is the number of files that a worker gets at once. Larger groups are slower,
	// because they do not fit into the processor's cache.
	filesTogether = 4
	// filesAlone is the number of files that are first handed over one by one, so that each
	// processor gets its share of a few large files.
	filesAlone = 64
)

// inGroups yields files in groups, because handing over each file by itself takes time.
func inGroups(files iter.Seq2[file, error]) iter.Seq2[[]file, error] {
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

// A fileResult is the result of reading a file.
type fileResult[T any] struct {
	name     string
	isStream bool // its messages are read later, by [archive.stream]
	isAside  bool // the file holds no message
	value    T
	err      error
}

// firstRead is how many bytes of a file are read to recognise its kind. Most messages are shorter.
const firstRead = 64 << 10

// file reads a file that has one message, and works on it.
func (a *archive[T]) file(ctx context.Context, f file) (w fileResult[T]) {
	if w.name, w.isStream, w.isAside = f.name, !f.regular, f.place == placeAside; w.isStream || w.isAside {
		return w
	}
	opened, err := openRegular(f.name)
	if err != nil {
		w.err = err
		return w
	}
	defer opened.close()
	// The first bytes that each worker reads do not count, because they are few.
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
	text, _ := stream.CutBOM(raw)
	if w.isAside = f.place == placeFolder && isAside(f.name, text); w.isAside {
		return w
	}
	if w.isStream = isMbox(text) || bytes.HasPrefix(raw, []byte(stream.GzipMagic)); w.isStream {
		return w
	}
	if int64(len(raw)) < opened.size {
		raw = append(make([]byte, 0, min(int64(a.limit), opened.size)), raw...)
		if raw, w.err = opened.read(raw, a.limit); w.err != nil {
			return w
		}
		text, _ = stream.CutBOM(raw)
	}
	w.value = a.work(input{f.name, withoutCount(f.name, text)})
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

// weight returns how much of [maxInWork] a message of size bytes takes.
func weight(size int64) int64 { return min(size, maxInWork) }

// mboxStart is the beginning of an mbox.
const mboxStart = "From "

// isMbox reports whether a file is an mbox, judged by its first bytes after a byte order mark.
func isMbox(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte(mboxStart)) && !bytes.HasPrefix(begin, []byte(mboxStart+":"))
}

// fileMessages yields the messages of one file, at most limit bytes of each. An mbox may be
// larger than memory, so it reads one message at a time. Either may be compressed by gzip, as
// Dovecot stores messages. An error comes last.
func fileMessages(name string, stdin io.Reader, limit int) iter.Seq2[input, error] {
	return func(yield func(input, error) bool) {
		err := withFile(name, stdin, func(r io.Reader) error {
			content, err := stream.Unzipped(r)
			if err != nil {
				return err
			}
			begin, err := content.Peek(len(stream.BOM))
			if _, marked := stream.CutBOM(begin); marked { // after a byte order mark the header would not be recognised
				_, err = content.Discard(len(stream.BOM))
			}
			if err == nil {
				begin, err = content.Peek(len(mboxStart) + len(":"))
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if isMbox(begin) {
				return mboxMessages(name, content, limit, yield)
			}
			raw, err := io.ReadAll(io.LimitReader(content, int64(limit)))
			if err == nil {
				yield(input{name, raw}, nil)
			}
			return err
		})
		if err != nil {
			yield(input{name: name}, err)
		}
	}
}

// mboxMessages yields the messages of an mbox until yield returns false.
func mboxMessages(name string, r io.Reader, limit int, yield func(input, error) bool) error {
	box := mbox.NewReader(r)
	var read bytes.Buffer
	for number := 1; ; number++ {
		message, err := box.NextMessage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			read.Reset()
			_, err = read.ReadFrom(io.LimitReader(message, int64(limit)))
		}
		if err != nil {
			return fmt.Errorf("message %d: %w", number, err)
		}
		if !yield(input{fmt.Sprintf("%s:%d", name, number), bytes.Clone(read.Bytes())}, nil) {
			return nil
		}
	}
}

// A regularFile is an open file that cannot block. It calls the system directly: os.Open registers
// each file with the poller, which takes longer than reading a message.
type regularFile struct {
	name       string
	descriptor int
	size       int64
}

// openRegular opens a file. If the file at that name is not regular any more, it may
// block.
func openRegular(name string) (f regularFile, err error) {
	f.name = name
	if f.descriptor, err = restarted(func() (int, error) { return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) }); err != nil {
		return f, &os.PathError{Op: "open", Path: name, Err: err}
	}
	var stat syscall.Stat_t
	if err := syscall.Fstat(f.descriptor, &stat); err != nil {
		f.close()
		return f, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	f.size = stat.Size
	return f, nil
}

func (f regularFile) close() { _ = syscall.Close(f.descriptor) }

// read appends more of the content to read, until that has limit bytes or the whole content.
func (f regularFile) read(read []byte, limit int) ([]byte, error) {
	for len(read) < limit && (len(read) == 0 || int64(len(read)) != f.size) {
		if len(read) == cap(read) {
			read = slices.Grow(read, max(len(read), minRead))
		}
		room := read[len(read):min(cap(read), limit)]
		n, err := restarted(func() (int, error) { return syscall.Read(f.descriptor, room) })
		if err != nil {
			return read, &os.PathError{Op: "read", Path: f.name, Err: err}
		}
		if n == 0 {
			break
		}
		read = read[:len(read)+n]
	}
	return read, nil
}

// minRead is the size of the buffer for a file whose size the system does not give, as below /proc.
const minRead = 4 << 10

// restarted calls f again while signals interrupt it.
func restarted(f func() (int, error)) (int, error) {
	for {
		if n, err := f(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}

// A job is an item with its result.
type job[T, R any] struct {
	item T
	err  error // an error in place of the item
	done chan R
}

// inOrder applies work to each item on all processors. It yields the results in the order of the
// items, with their errors between them, and stays a bounded number of items ahead. When ctx ends,
// it yields the results that are done, and does not wait for others.
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

// feed passes each item as a job to the workers and to the queue of results.
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

// received yields the values of a channel. After the end of ctx it yields only values that are
// there already.
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
