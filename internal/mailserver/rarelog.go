package mailserver

import (
	"sync"
	"time"
)

// rareEvery is the time between two lines of a RareLog.
const rareEvery = time.Minute

// A RareLog logs what others can make happen at will: the first event at once, and then
// every minute the number of further ones. Its methods may be called from several
// goroutines.
type RareLog[T any] struct {
	// Write logs the number of events since the last line, and the last of them.
	Write func(count int, last T)

	mu    sync.Mutex
	timer *time.Timer // runs for rareEvery after a line; nil: none was written then
	count int         // events since the last line
	last  T
}

// Note notes an event.
func (l *RareLog[T]) Note(event T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	l.last = event
	if l.timer == nil {
		l.write()
	}
}

// write logs the events since the last line. The caller holds the lock.
func (l *RareLog[T]) write() {
	l.Write(l.count, l.last)
	l.count = 0
	l.timer = time.AfterFunc(rareEvery, l.due)
}

// due writes the next line if there were events since the last one.
func (l *RareLog[T]) due() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.timer == nil: // stopped
	case l.count > 0:
		l.write()
	default:
		l.timer = nil
	}
}

// Stop writes what was not written yet, and stops the timer.
func (l *RareLog[T]) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer == nil {
		return
	}
	if l.count > 0 {
		l.write()
	}
	l.timer.Stop()
	l.timer = nil
}
