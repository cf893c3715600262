package mailserver

import "sync"

// Busy notes whether a connection has an open message, and whether it is to end.
// The zero value has none and goes on. Its methods may be called from several
// goroutines.
type Busy struct {
	mu             sync.Mutex
	open, draining bool
}

// Begin notes that a message is open. It reports false where the connection is
// to end: then it must not begin another message.
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

// Drain has the connection end when it has no open message. If it has none now,
// Drain calls wake, which must make a read that waits return.
func (b *Busy) Drain(wake func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draining = true
	if !b.open {
		wake()
	}
}

// Wait calls prepare before a read that waits, and reports true; it reports false,
// without the call, where the connection is to end now. What prepare sets, a later
// wake undoes.
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
