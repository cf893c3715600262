package contentfilter

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

// judge is a goroutine that calls the filter, for all messages of a connection: a
// new goroutine for each would have to grow its stack each time.
type judge struct{ jobs chan *job }

// job is a message for the filter.
type job struct {
	ctx     context.Context
	env     filter.Envelope
	raw     []byte
	release func() // frees the message's memory

	claimed atomic.Bool // by who waits, when it is late, or by the judge, when it is done
	done    chan struct{}
	result  filter.Result
	reason  outcome.Reason
}

// overtime returns how much longer than its deadline the filter may take to return. It
// decides on what it found after the deadline, which takes up to 200 ms.
func overtime(limit time.Duration) time.Duration { return max(limit/10, 400*time.Millisecond) }

// consult asks the filter about a message. release frees the message's memory; it is
// called later where the filter does not return in time, and held says
// that.
func (s *session) consult(env filter.Envelope, raw []byte, release func()) (result filter.Result, reason outcome.Reason, held bool) {
	limit := s.server.budget.Limits().Time
	ctx, cancel := context.WithTimeout(s.server.ctx, limit)
	defer cancel()
	if s.judge == nil {
		s.judge = &judge{jobs: make(chan *job)}
		go s.judge.run(s)
	}
	work := &job{ctx: ctx, env: env, raw: raw, release: release, done: make(chan struct{})}
	s.judge.jobs <- work
	late := time.NewTimer(limit + overtime(limit))
	defer late.Stop()
	select {
	case <-work.done:
	case <-late.C:
		if work.claimed.CompareAndSwap(false, true) {
			s.judge.end()
			s.judge = nil
			return filter.Result{}, outcome.Deadline, true
		}
		<-work.done
	}
	return work.result, work.reason, false
}

// run calls the filter for one message after the other, until end.
func (j *judge) run(s *session) {
	for work := range j.jobs {
		work.call(s)
		if work.claimed.CompareAndSwap(false, true) {
			close(work.done)
		} else {
			work.release()
		}
	}
}

// end ends the goroutine, once it has nothing to do any more.
func (j *judge) end() {
	if j != nil {
		close(j.jobs)
	}
}

// call calls the filter, and ends its panics.
func (w *job) call(s *session) {
	defer func() {
		if v := recover(); v != nil {
			s.logPanic(v, w.env.QueueID)
			w.result, w.reason = filter.Result{}, outcome.Panic
		}
	}()
	w.result = s.server.options.Filter.Message(w.ctx, w.env, w.raw)
}

// logPanic logs a panic.
func (s *session) logPanic(v any, queueID string) {
	s.log.Error("panic", "queue_id", outcome.Safe(queueID), "panic", outcome.PanicText(v), "stack", string(debug.Stack()))
}
