// Package budget counts the memory that the messages of all connections of a
// server take together.
package budget

import "sync/atomic"

// Budget is that memory, in bytes. The zero Budget has no room. Its methods may
// be called from several goroutines.
type Budget struct {
	limit, used atomic.Int64
}

// SetLimit says how many bytes there are. What is taken beyond a lower limit
// stays taken.
func (b *Budget) SetLimit(n int64) { b.limit.Store(n) }

// Reserve takes n bytes, or nothing and reports false.
func (b *Budget) Reserve(n int64) bool {
	if b.used.Add(n) > b.limit.Load() {
		b.used.Add(-n)
		return false
	}
	return true
}

// Release gives n bytes back.
func (b *Budget) Release(n int64) { b.used.Add(-n) }

// Used returns the bytes that are taken.
func (b *Budget) Used() int64 { return b.used.Load() }

// Limit returns the bytes there are.
func (b *Budget) Limit() int64 { return b.limit.Load() }
