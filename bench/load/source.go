//go:build linux

package main

import (
	"sync"
	"time"
)

// A source returns the index of the next message and when it is due. It reports whether
// there is one.
type source func() (i int, due time.Time, more bool)

// flatOut returns a source of messages that are due at once: whole batches from..to, until
// the time is over.
func flatOut(from, to int, duration time.Duration) source {
	var mu sync.Mutex
	next, end := from, time.Now().Add(duration)
	return func() (int, time.Time, bool) {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		if next == to {
			if !now.Before(end) {
				return 0, now, false
			}
			next = from
		}
		next++
		return next - 1, now, true
	}
}

// paced returns a source of messages that are due at a fixed rate, in messages a second.
// The time at which a message is due does not depend on the replies to others.
func paced(from, to int, rate float64, duration time.Duration) source {
	var mu sync.Mutex
	n, begin := 0, time.Now()
	return func() (int, time.Time, bool) {
		mu.Lock()
		after := time.Duration(float64(n) / rate * float64(time.Second))
		i := from + n%(to-from)
		n++
		mu.Unlock()
		due := begin.Add(after)
		if after >= duration {
			return 0, due, false
		}
		waitUntil(due)
		return i, due, true
	}
}

// modulo returns a source whose messages begin again after n.
func (next source) modulo(n int) source {
	return func() (int, time.Time, bool) {
		i, due, more := next()
		return i % n, due, more
	}
}
