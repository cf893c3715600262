package milter

import "sync/atomic"

// budget is the memory that the messages of all connections may take together,
// in bytes.
type budget struct {
	limit, used atomic.Int64
}

// reserve takes n bytes, or nothing and reports false.
func (b *budget) reserve(n int64) bool {
	if b.used.Add(n) > b.limit.Load() {
		b.used.Add(-n)
		return false
	}
	return true
}

// release gives n bytes back.
func (b *budget) release(n int64) { b.used.Add(-n) }
