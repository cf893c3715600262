package sqlfile

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// Queued is how many rows may wait for the writer.
	Queued = 1000
	// Batched is how many rows one transaction writes.
	Batched = 250
	// retryTime is the time between attempts after an error.
	retryTime = 5 * time.Second
	// pruneTime is the longest time between removals of old rows.
	pruneTime = 10 * time.Minute
	// complainTime is the time between two lines of the log about lost rows.
	complainTime = time.Minute
	// freshTime is how long a reader waits for rows to be written.
	freshTime = 200 * time.Millisecond
)

// Options say what a Writer writes, and where.
type Options[T any] struct {
	Path   string
	Schema *Schema
	Log    *slog.Logger
	// Phrases are what the log says.
	Phrases Phrases
	Lost    *atomic.Uint64 // counts the rows that are not in the file although they should be
	Advice  func(error) string

	Insert func(context.Context, *sql.DB, []T) error
	Prune  func(context.Context, *sql.DB) error // removes what is old, now and then
	Opened func(context.Context, *sql.DB) error // reads the file when it was opened; nil: nothing
}

// Phrases are messages of the log.
type Phrases struct{ NotWritten, Begun, NotClosed string }

// A Writer writes rows to a file. Nobody waits for it: one goroutine writes, and rows that
// it cannot write are counted and lost.
type Writer[T any] struct {
	o       Options[T]
	queue   chan T
	closing chan struct{}
	wake    chan struct{} // a reader found a problem, or Tend
	done    chan struct{} // closed when the goroutine has ended
	ctx     context.Context
	giveUp  context.CancelFunc
	retry   atomic.Int64 // time between attempts after an error
	added   atomic.Int64 // rows
	settled atomic.Int64 // of them, those that are written or lost

	mu      sync.Mutex
	problem error   // of the last attempt to write or to read; nil: none
	readers *sql.DB // nil: the file is not open

	// Only the goroutine uses what follows.
	db         *sql.DB // nil: the file is not open
	batch      []T
	since      int // rows written since the last removal of old ones
	complained time.Time
	reported   uint64 // lost rows in the last line of the log
}

// NewWriter begins to write rows to a file. It does not wait for the disk.
func NewWriter[T any](o Options[T]) *Writer[T] {
	w := &Writer[T]{
		o:     o,
		queue: make(chan T, Queued), closing: make(chan struct{}), wake: make(chan struct{}, 1), done: make(chan struct{}),
		reported: o.Lost.Load(),
	}
	w.SetRetry(retryTime)
	w.ctx, w.giveUp = context.WithCancel(context.Background())
	go w.run()
	return w
}

// Waiting returns how many rows wait to be written.
func (w *Writer[T]) Waiting() int { return len(w.queue) }

// Tend has Prune called soon.
func (w *Writer[T]) Tend() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// IsFresh reports whether the file is open and has all rows.
func (w *Writer[T]) IsFresh() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.readers != nil && w.added.Load() == w.settled.Load()
}

// SetRetry sets the time between attempts after an error.
func (w *Writer[T]) SetRetry(d time.Duration) { w.retry.Store(int64(d)) }

// Add hands a row to the writer. It does not wait: if too many wait, it counts the row as lost.
func (w *Writer[T]) Add(row T) {
	w.added.Add(1)
	select {
	case w.queue <- row:
	default:
		w.lose(1)
	}
}

// lose counts rows as lost.
func (w *Writer[T]) lose(n int) {
	w.settled.Add(int64(n))
	w.o.Lost.Add(uint64(n))
}

// Close writes what waits, and ends the writer. When ctx ends first, the rest is lost.
func (w *Writer[T]) Close(ctx context.Context) {
	close(w.closing)
	select {
	case <-w.done:
	case <-ctx.Done():
		w.giveUp()
		<-w.done
	}
	w.giveUp()
}

// run writes rows until the writer closes.
func (w *Writer[T]) run() {
	defer close(w.done)
	w.work()
	for {
		queue, timer := w.queue, time.NewTimer(pruneTime)
		if w.Failed() != nil {
			timer.Reset(time.Duration(w.retry.Load()))
			if len(w.batch) >= Batched {
				queue = nil // the queue is the bound of what may wait
			}
		}
		select {
		case row := <-queue:
			w.batch = append(w.batch, row)
			if w.Failed() == nil {
				w.work()
			}
		case <-w.wake:
			w.since = Batched
			w.work()
		case <-timer.C:
			w.since = Batched
			w.work()
		case <-w.closing:
			timer.Stop()
			w.end()
			return
		}
		timer.Stop()
	}
}

// work writes what waits, and removes what is old.
func (w *Writer[T]) work() {
	err := w.open()
	for err == nil && w.collect() {
		if err = w.o.Insert(w.ctx, w.db, w.batch); err == nil {
			w.since += len(w.batch)
			w.settled.Add(int64(len(w.batch)))
			w.batch = w.batch[:0]
		}
	}
	if err == nil && w.since >= Batched {
		w.since = 0
		err = w.o.Prune(w.ctx, w.db)
	}
	w.note(err)
	w.complain()
}

// collect moves rows from the queue to the batch and reports whether there are any.
func (w *Writer[T]) collect() bool {
	for len(w.batch) < Batched {
		select {
		case row := <-w.queue:
			w.batch = append(w.batch, row)
		default:
			return len(w.batch) > 0
		}
	}
	return true
}

// open opens the file, unless it is open.
func (w *Writer[T]) open() error {
	if w.db != nil {
		return nil
	}
	db, err := Open(w.ctx, w.o.Path, w.o.Schema)
	if err != nil {
		return err
	}
	readers, err := OpenReaders(w.o.Path)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	if w.o.Opened != nil {
		if err := w.o.Opened(w.ctx, db); err != nil {
			return errors.Join(err, readers.Close(), db.Close())
		}
	}
	w.db, w.since = db, Batched
	w.mu.Lock()
	defer w.mu.Unlock()
	w.readers = readers
	return nil
}

// note remembers the outcome of an attempt, and acts on an error.
func (w *Writer[T]) note(err error) {
	if corrupt := w.Failed(); err == nil && FaultOf(corrupt) == FaultCorrupt {
		err = corrupt // a reader saw it
	}
	switch FaultOf(err) {
	case FaultCorrupt:
		w.begin(err)
		return
	case FaultOther:
		if err != nil {
			w.lose(len(w.batch))
			w.batch = w.batch[:0]
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problem = err
}

// begin sets a corrupt file aside. The next attempt begins a new one.
func (w *Writer[T]) begin(corrupt error) {
	w.shut()
	aside, err := SetAside(w.o.Path)
	w.o.Log.Error(w.o.Phrases.Begun, "file", w.o.Path, "set_aside", aside, "error", errors.Join(corrupt, err), "advice", w.o.Advice(corrupt))
	if err == nil {
		err = w.open()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problem = err
}

// shut closes the file.
func (w *Writer[T]) shut() {
	w.mu.Lock()
	readers := w.readers
	w.readers = nil
	w.mu.Unlock()
	for _, db := range []*sql.DB{readers, w.db} {
		if db != nil {
			if err := db.Close(); err != nil {
				w.o.Log.Warn(w.o.Phrases.NotClosed, "file", w.o.Path, "error", err)
			}
		}
	}
	w.db = nil
}

// end writes what waits and closes the file.
func (w *Writer[T]) end() {
	w.work()
	w.lose(len(w.batch) + len(w.queue))
	w.complained = time.Time{}
	w.complain()
	w.shut()
}

// complain logs, at most once a minute, that rows were lost or that the file cannot be written.
func (w *Writer[T]) complain() {
	lost, problem := w.o.Lost.Load(), w.Failed()
	if lost == w.reported && problem == nil || time.Since(w.complained) < complainTime {
		return
	}
	w.complained = time.Now()
	attributes := []any{"file", w.o.Path, "lost", lost - w.reported, "waiting", w.added.Load() - w.settled.Load()}
	if problem != nil {
		attributes = append(attributes, "error", problem, "advice", w.o.Advice(problem))
	}
	w.reported = lost
	w.o.Log.Warn(w.o.Phrases.NotWritten, attributes...)
}

// Failed returns the problem with the file, nil while it works.
func (w *Writer[T]) Failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.problem
}

// Read calls a function that reads the file, and reports whether it could. Rows of
// before are in the file by then, unless writing takes long or fails: a reader that goes
// from page to page misses none.
func (w *Writer[T]) Read(ctx context.Context, from func(context.Context, *sql.DB) error) error {
	before, end := w.added.Load(), time.Now().Add(freshTime)
	for w.settled.Load() < before && w.Failed() == nil && ctx.Err() == nil && time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	w.mu.Lock()
	readers := w.readers
	w.mu.Unlock()
	if readers == nil {
		return ErrNotOpen
	}
	err := from(ctx, readers)
	if FaultOf(err) == FaultCorrupt {
		w.mu.Lock()
		w.problem = err
		w.mu.Unlock()
		w.Tend()
	}
	return err
}

// ErrNotOpen says that a file is not open, so that nothing can be read from it.
var ErrNotOpen = errors.New("file not open")
