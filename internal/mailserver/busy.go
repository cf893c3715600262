package mailserver

import "sync"

// Busy notes whether a connection has an open message, and whether it must end. The zero
// value has no message and goes on. Its methods may be called from several
// goroutines.
type Busy struct {
	mu             sync.Mutex
	open, draining bool
}

// Begin notes that a message is open. It reports false if the connection must end: then
// the caller must not begin another message.
func (b *Busy) Begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.draining && !b.open {
		return false
	}
	b.open = true
	return true
}

// End notes that no message is open, and reports whether the connection goes on.
func (b *Busy) End() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = false
	return !b.draining
}

// Drain makes the connection end when it has no open message. If it has none now, Drain
// calls wake, which must make a waiting read return.
func (b *Busy) Drain(wake func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draining = true
	if !b.open {
		wake()
	}
}

// Wait calls prepare before a read that waits, and reports true. If the connection must
// end now, it reports false and does not call prepare. A later wake of Drain overrides
// the deadline that prepare sets.
func (b *Busy) Wait(prepare func()) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.draining && !b.open {
		return false
	}
	prepare()
	return true
}

// Draining reports whether Drain was called.
func (b *Busy) Draining() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.draining
}
