package milter

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// overtime returns how much longer than its deadline the filter may take to return. It
// decides on what it found after the deadline, which takes up to 200 ms.
func overtime(limit time.Duration) time.Duration { return max(limit/10, 400*time.Millisecond) }

// watchdog sees to it that the work on the messages of a connection ends. One timer
// serves them all. It is not set for each: it goes off when one message would have
// been due, and is then set for the one that is in hand.
type watchdog struct {
	mu    sync.Mutex
	timer *time.Timer // nil before the first message
	next  time.Time   // when the timer goes off; zero: it is not set
	task  *task       // in hand, or nil
}

// begin begins the work t on a message, which has the time limit from start on. Where
// it takes overtime, late is called on another goroutine; finish then reports false. The
// work ends as well when ctx does.
func (w *watchdog) begin(ctx context.Context, t *task, start time.Time, limit time.Duration, late func()) {
	t.Context, t.deadline, t.overtime, t.late = ctx, start.Add(limit), start.Add(limit+overtime(limit)), late
	w.mu.Lock()
	defer w.mu.Unlock()
	w.task = t
	w.set(t.deadline)
}

// finish ends the work on t, and reports whether that was before it was late.
func (w *watchdog) finish(t *task) bool {
	t.end(&finished)
	w.mu.Lock()
	defer w.mu.Unlock()
	inTime := w.task == t
	w.task = nil
	return inTime
}

// stop is for the end of the connection.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
}

// set has the timer go off at that time, or before.
func (w *watchdog) set(at time.Time) {
	switch {
	case !w.next.IsZero() && !w.next.After(at):
		return
	case w.timer == nil:
		w.timer = time.AfterFunc(time.Until(at), w.wake)
	default:
		w.timer.Reset(time.Until(at))
	}
	w.next = at
}

// wake is called when the timer goes off.
func (w *watchdog) wake() {
	if t := w.look(); t != nil {
		t.late()
	}
}

// look looks after the task in hand, and returns it if it is late.
func (w *watchdog) look() *task {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next = time.Time{}
	t, now := w.task, time.Now()
	if t == nil {
		return nil
	}
	if now.Before(t.deadline) {
		w.set(t.deadline)
		return nil
	}
	t.end(&overdue)
	if now.Before(t.overtime) {
		w.set(t.overtime)
		return nil
	}
	w.task = nil
	return t
}

// task is the work on one message, and the filter's context. Filters mostly ask Err: a
// channel is only made where somebody waits for the end.
type task struct {
	context.Context // of the server
	deadline        time.Time
	overtime        time.Time
	late            func()

	err atomic.Pointer[error] // why the work ended, or nil

	mu     sync.Mutex
	done   chan struct{} // nil until somebody asks for it
	detach func() bool   // from the server's context
}

// Why work ends.
var (
	overdue  error = context.DeadlineExceeded
	finished error = context.Canceled // also the server's end
)

// end ends the work, for the first reason that is given.
func (t *task) end(reason *error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.err.CompareAndSwap(nil, reason) || t.done == nil {
		return
	}
	close(t.done)
	t.detach()
}

// Deadline returns when the work is to end.
func (t *task) Deadline() (time.Time, bool) { return t.deadline, true }

// Err returns why the work is to end, or nil.
func (t *task) Err() error {
	if err := t.err.Load(); err != nil {
		return *err
	}
	return t.Context.Err()
}

// Done returns a channel that is closed when the work is to end.
func (t *task) Done() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done != nil {
		return t.done
	}
	t.done = make(chan struct{})
	if t.Context.Err() != nil {
		t.err.CompareAndSwap(nil, &finished)
	}
	if t.err.Load() != nil {
		close(t.done)
	} else {
		t.detach = context.AfterFunc(t.Context, func() { t.end(&finished) })
	}
	return t.done
}
