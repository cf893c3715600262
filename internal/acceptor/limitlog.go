package acceptor

import (
	"log/slog"
	"sync"
	"time"
)

// limitEvery is how often it is logged at most that all connections are taken.
const limitEvery = time.Minute

// limitLog logs that a connection had to wait since all were taken: the first
// time at once, and then once in limitEvery how many more there were.
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

// due writes the next line if there is something to say.
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

// stop writes what was not written yet, and no more by itself.
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
