package mailserver

import (
	"log/slog"
	"sync"
	"time"
)

// limitEvery is the time between two lines that say that all connections are taken.
const limitEvery = time.Minute

// limitLog logs that connections had to wait because all were taken: the first one
// at once, and then every limitEvery the number of further ones.
type limitLog struct {
	log   *slog.Logger
	limit int // of connections

	mu       sync.Mutex
	timer    *time.Timer // runs for limitEvery after a line; nil: none was written then
	waited   int         // connections since the last line
	listener string      // of the last of them
}

// reached notes that a connection of a listener has to wait.
func (l *limitLog) reached(listener string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waited++
	l.listener = listener
	if l.timer == nil {
		l.write()
	}
}

// write logs the connections since the last line. The caller holds the lock.
func (l *limitLog) write() {
	l.log.Warn("connection limit reached", "listener", l.listener, "limit", l.limit, "waited", l.waited)
	l.waited = 0
	l.timer = time.AfterFunc(limitEvery, l.due)
}

// due writes the next line if connections waited since the last one.
func (l *limitLog) due() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.timer == nil: // stopped
	case l.waited > 0:
		l.write()
	default:
		l.timer = nil
	}
}

// stop writes what was not written yet, and stops the timer.
func (l *limitLog) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer == nil {
		return
	}
	if l.waited > 0 {
		l.write()
	}
	l.timer.Stop()
	l.timer = nil
}
