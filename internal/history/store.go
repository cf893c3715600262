package history

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/sqlfile"
)

const (
	// queued is how many messages may wait for the writer.
	queued = 1000
	// batched is how many messages one transaction writes.
	batched = 250
	// retryTime is the time between attempts after an error.
	retryTime = 5 * time.Second
	// pruneTime is the longest time between removals of old messages.
	pruneTime = 10 * time.Minute
	// complainTime is the time between two lines of the log about lost messages.
	complainTime = time.Minute
	// freshTime is how long a reader waits for messages to be written.
	freshTime = 200 * time.Millisecond
)

// A store keeps messages in a file. One goroutine writes it.
type store struct {
	path    string
	log     *slog.Logger
	keep    atomic.Pointer[Retention]
	queue   chan Message
	closing chan struct{}
	wake    chan struct{} // a reader found a problem
	done    chan struct{} // closed when the goroutine has ended
	ctx     context.Context
	giveUp  context.CancelFunc
	lost    *atomic.Uint64
	retry   atomic.Int64 // time between attempts after an error
	added   atomic.Int64 // messages
	settled atomic.Int64 // of them, those that are written or lost

	mu      sync.Mutex
	problem error   // of the last attempt to write or to read; nil: none
	readers *sql.DB // nil: the file is not open

	// Only the goroutine uses what follows.
	db         *sql.DB // nil: the file is not open
	batch      []Message
	since      int // messages written since the last removal of old ones
	complained time.Time
	reported   uint64 // lost messages in the last line of the log
}

// newStore begins to keep messages in a file. It does not wait for the disk.
func newStore(path string, keep Retention, lost *atomic.Uint64, log *slog.Logger) *store {
	s := &store{
		path: path, log: log, lost: lost,
		queue: make(chan Message, queued), closing: make(chan struct{}), wake: make(chan struct{}, 1), done: make(chan struct{}),
		reported: lost.Load(),
	}
	s.keep.Store(&keep)
	s.setRetry(retryTime)
	s.ctx, s.giveUp = context.WithCancel(context.Background())
	go s.run()
	return s
}

func (s *store) setRetry(d time.Duration) { s.retry.Store(int64(d)) }

// add hands a message to the writer. It does not wait: if too many wait, it counts the
// message as lost.
func (s *store) add(m Message) {
	s.added.Add(1)
	select {
	case s.queue <- m:
	default:
		s.lose(1)
	}
}

// lose counts messages as lost.
func (s *store) lose(n int) {
	s.settled.Add(int64(n))
	s.lost.Add(uint64(n))
}

// close writes what waits, and ends the writer. When ctx ends first, the rest is lost.
func (s *store) close(ctx context.Context) {
	close(s.closing)
	select {
	case <-s.done:
	case <-ctx.Done():
		s.giveUp()
		<-s.done
	}
	s.giveUp()
}

// run writes messages until the store closes.
func (s *store) run() {
	defer close(s.done)
	s.work()
	for {
		queue, timer := s.queue, time.NewTimer(pruneTime)
		if s.failed() != nil {
			timer.Reset(time.Duration(s.retry.Load()))
			if len(s.batch) >= batched {
				queue = nil // the queue is the bound of what may wait
			}
		}
		select {
		case m := <-queue:
			s.batch = append(s.batch, m)
			if s.failed() == nil {
				s.work()
			}
		case <-s.wake:
			s.work()
		case <-timer.C:
			s.since = batched
			s.work()
		case <-s.closing:
			timer.Stop()
			s.end()
			return
		}
		timer.Stop()
	}
}

// work writes what waits, and removes what is old.
func (s *store) work() {
	err := s.open()
	for err == nil && s.collect() {
		if err = insert(s.ctx, s.db, s.batch); err == nil {
			s.since += len(s.batch)
			s.settled.Add(int64(len(s.batch)))
			s.batch = s.batch[:0]
		}
	}
	if err == nil && s.since >= batched {
		s.since = 0
		err = prune(s.ctx, s.db, *s.keep.Load(), time.Now())
	}
	s.note(err)
	s.complain()
}

// collect moves messages from the queue to the batch and reports whether there are any.
func (s *store) collect() bool {
	for len(s.batch) < batched {
		select {
		case m := <-s.queue:
			s.batch = append(s.batch, m)
		default:
			return len(s.batch) > 0
		}
	}
	return true
}

// open opens the file, unless it is open.
func (s *store) open() error {
	if s.db != nil {
		return nil
	}
	db, err := sqlfile.Open(s.ctx, s.path, &schema)
	if err != nil {
		return err
	}
	readers, err := sqlfile.OpenReaders(s.path)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	s.db, s.since = db, batched
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers = readers
	return nil
}

// note remembers the outcome of an attempt, and acts on an error.
func (s *store) note(err error) {
	if corrupt := s.failed(); err == nil && sqlfile.FaultOf(corrupt) == sqlfile.FaultCorrupt {
		err = corrupt // a reader saw it
	}
	switch sqlfile.FaultOf(err) {
	case sqlfile.FaultCorrupt:
		s.begin(err)
		return
	case sqlfile.FaultOther:
		if err != nil {
			s.lose(len(s.batch))
			s.batch = s.batch[:0]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problem = err
}

// begin sets a corrupt file aside. The next attempt begins a new one.
func (s *store) begin(corrupt error) {
	s.shut()
	aside, err := sqlfile.SetAside(s.path)
	s.log.Error("history file is corrupt, begun anew", "file", s.path, "set_aside", aside, "error", errors.Join(corrupt, err), "advice", adviceOn(corrupt))
	if err == nil {
		err = s.open()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problem = err
}

// shut closes the file.
func (s *store) shut() {
	s.mu.Lock()
	readers := s.readers
	s.readers = nil
	s.mu.Unlock()
	for _, db := range []*sql.DB{readers, s.db} {
		if db != nil {
			if err := db.Close(); err != nil {
				s.log.Warn("history file not closed", "file", s.path, "error", err)
			}
		}
	}
	s.db = nil
}

// end writes what waits and closes the file.
func (s *store) end() {
	s.work()
	s.lose(len(s.batch) + len(s.queue))
	s.complained = time.Time{}
	s.complain()
	s.shut()
}

// complain logs, at most once a minute, that the history lost messages or that it
// cannot write.
func (s *store) complain() {
	lost, problem := s.lost.Load(), s.failed()
	if lost == s.reported && problem == nil || time.Since(s.complained) < complainTime {
		return
	}
	s.complained = time.Now()
	attributes := []any{"file", s.path, "lost", lost - s.reported, "waiting", s.added.Load() - s.settled.Load()}
	if problem != nil {
		attributes = append(attributes, "error", problem, "advice", adviceOn(problem))
	}
	s.reported = lost
	s.log.Warn("history not written, mail goes on", attributes...)
}

// failed returns the problem with the file, nil while it works.
func (s *store) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.problem
}

// read calls a function that reads the file, and reports whether it could. Messages of
// before are in the file by then, unless writing takes long or fails: a reader that goes
// from page to page misses none.
func (s *store) read(ctx context.Context, from func(context.Context, *sql.DB) error) error {
	before, end := s.added.Load(), time.Now().Add(freshTime)
	for s.settled.Load() < before && s.failed() == nil && ctx.Err() == nil && time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	s.mu.Lock()
	readers := s.readers
	s.mu.Unlock()
	if readers == nil {
		return errNotOpen
	}
	err := from(ctx, readers)
	if sqlfile.FaultOf(err) == sqlfile.FaultCorrupt {
		s.mu.Lock()
		s.problem = err
		s.mu.Unlock()
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
	return err
}

var errNotOpen = errors.New("history file not open")
