package history

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/sqlfile"
)

// History keeps flagged messages: the newest in memory and, after Use, all of them in a file.
// Several goroutines may use it.
type History struct {
	log  *slog.Logger
	ids  ids
	ring ring
	lost atomic.Uint64

	// subjects says that messages have their subjects.
	subjects atomic.Bool
	changing sync.Mutex // held by Change

	mu    sync.RWMutex
	store *store // nil: no file
}

// New returns a history that keeps the newest messages in memory.
func New(keep int, log *slog.Logger) *History {
	return &History{log: log, ring: ring{most: keep}}
}

// KeepSubjects says whether messages are kept with their subjects from now on.
func (h *History) KeepSubjects(keep bool) { h.subjects.Store(keep) }

// closeTime limits how long a file takes to close.
const closeTime = 5 * time.Second

// Use keeps messages in a file from now on, or in memory only if path is "". It closes the file
// used before; only for messages that still have to be written there it waits for the disk.
func (h *History) Use(path string, keep Retention) {
	h.mu.Lock()
	before := h.store
	if before != nil && before.path == path {
		before.keep.Store(&keep)
		h.mu.Unlock()
		return
	}
	h.store = nil
	if path != "" {
		h.store = newStore(path, keep, &h.lost, h.log)
	}
	h.mu.Unlock()
	if before != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		before.Close(ctx)
	}
}

// Close writes the messages that wait, and closes the file.
func (h *History) Close() { h.Use("", Retention{}) }

// Add keeps a message if it has a finding of medium or above, and reports whether it does. Of other
// messages it keeps the links if [Retention] says so. It does not wait for the disk.
func (h *History) Add(e *mailserver.Event, now time.Time) bool {
	m, flagged := newMessage(e, now)
	if flagged {
		if h.subjects.Load() {
			m.Subject = Bounded(e.Report.Header.Subject)
		}
		m.ID = h.ids.next(now)
		h.keep(m)
	} else {
		h.see(e, now)
	}
	return flagged
}

// see keeps the links of a message that is not flagged, if the operator wants it.
func (h *History) see(e *mailserver.Event, now time.Time) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.store == nil || !h.store.keep.Load().Seen {
		return
	}
	m, ok := newSeen(e, now)
	switch {
	case !ok:
	case h.store.Waiting() > sqlfile.Queued/2:
		h.lost.Add(1) // the rest of the queue is for flagged messages
	default:
		m.ID = h.ids.next(now)
		h.store.Add(m)
	}
}

func (h *History) keep(m Message) {
	h.ring.add(m)
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.store != nil {
		h.store.Add(m)
	}
}

// Lost returns how many messages could not be written to the file.
func (h *History) Lost() uint64 { return h.lost.Load() }

// A State says where messages are kept.
type State struct {
	File    string // "": in memory only
	Most    int    // how many messages memory keeps
	Problem error  // a problem with the file, or nil
	Advice  string // about the problem
}

// State returns where messages are kept now.
func (h *History) State() State {
	state := State{Most: h.ring.most}
	if s := h.file(); s != nil {
		state.File, state.Problem = s.path, s.Failed()
		if state.Problem != nil {
			state.Advice = adviceOn(state.Problem)
		}
	}
	return state
}

func (h *History) file() *store {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.store
}

// Find returns at most most messages of a query, the newest first. If the query only asks for
// messages after a given one, the oldest come first.
func (h *History) Find(ctx context.Context, q *Query, most int) (list []Message, err error) {
	err = h.read(ctx, func(ctx context.Context, db *sql.DB) error {
		list, err = find(ctx, db, q, most)
		return err
	}, func() { list = h.ring.find(q, most) })
	return list, err
}

// Count returns how many messages a query chooses, at most most.
func (h *History) Count(ctx context.Context, q *Query, most int) (n int, err error) {
	err = h.read(ctx, func(ctx context.Context, db *sql.DB) error {
		n, err = count(ctx, db, q, most)
		return err
	}, func() { n = len(h.ring.find(q, most)) })
	return n, err
}

// Get returns the message with an ID, and whether there is one.
func (h *History) Get(ctx context.Context, id ID) (m Message, ok bool, err error) {
	if m, ok = h.ring.get(id); ok {
		return m, true, nil
	}
	err = h.read(ctx, func(ctx context.Context, db *sql.DB) error {
		m, ok, err = get(ctx, db, id)
		return err
	}, func() {})
	return m, ok, err
}

// portion is how many messages All reads at once.
const portion = 500

// All returns all messages of a query, the newest first. If there is an error, it is the last
// element.
func (h *History) All(ctx context.Context, q Query) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		q.After = 0
		for {
			list, err := h.Find(ctx, &q, portion)
			if err != nil {
				yield(Message{}, err)
				return
			}
			for _, m := range list {
				if !yield(m, nil) {
					return
				}
				q.Before = m.ID
			}
			if len(list) < portion {
				return
			}
		}
	}
}

// read reads the file, or memory if no file is open.
func (h *History) read(ctx context.Context, file func(context.Context, *sql.DB) error, memory func()) error {
	if s := h.file(); s != nil {
		if err := s.Read(ctx, file); !errors.Is(err, sqlfile.ErrNotOpen) {
			return err
		}
	}
	memory()
	return nil
}
