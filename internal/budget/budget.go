// Package budget holds the limits of a server's work on messages, and counts the
// memory that the messages of all its connections take together.
package budget

import (
	"cmp"
	"errors"
	"sync/atomic"
	"time"
)

// Defaults of Limits.
const (
	DefaultMaxMessage int64 = 25 << 20
	DefaultMemory     int64 = 256 << 20
	DefaultTime             = 5 * time.Second // far below what MTAs wait for
)

// ErrNegative says that a limit is below 0.
var ErrNegative = errors.New("a limit is negative")

// Limits bound the work on messages. They may be changed while a server runs.
// Zero values stand for the defaults.
type Limits struct {
	// MaxMessage is the size in bytes, header and body, up to which a message is
	// kept. Of a larger one the filter gets the beginning, as
	// [filter.Envelope.Truncated]; the rest goes on without having been looked at.
	// Default DefaultMaxMessage.
	MaxMessage int64
	// Memory bounds in bytes what the messages of all connections take together.
	// A message that does not fit any more goes on without being looked at.
	// While the filter works on a message it counts a few times its size. Default
	// DefaultMemory.
	Memory int64
	// Time is how long the filter may work on a message. Default DefaultTime.
	Time time.Duration
}

// Budget is what a server may spend on messages, and what it has spent. Its
// methods may be called from several goroutines.
type Budget struct {
	limits atomic.Pointer[Limits]
	used   atomic.Int64
}

// New returns a Budget with those limits.
func New(l Limits) (*Budget, error) {
	b := new(Budget)
	return b, b.SetLimits(l)
}

// SetLimits replaces the limits; the error is ErrNegative, and then nothing is
// changed. What is taken beyond a lower limit of memory stays taken.
func (b *Budget) SetLimits(l Limits) error {
	if min(l.MaxMessage, l.Memory, int64(l.Time)) < 0 {
		return ErrNegative
	}
	b.limits.Store(&Limits{
		MaxMessage: cmp.Or(l.MaxMessage, DefaultMaxMessage),
		Memory:     cmp.Or(l.Memory, DefaultMemory),
		Time:       cmp.Or(l.Time, DefaultTime),
	})
	return nil
}

// Limits returns the limits of this moment, with the defaults in place.
func (b *Budget) Limits() Limits { return *b.limits.Load() }

// Reserve takes n bytes, or nothing and reports false.
func (b *Budget) Reserve(n int64) bool {
	if b.used.Add(n) > b.limits.Load().Memory {
		b.used.Add(-n)
		return false
	}
	return true
}

// Release gives n bytes back.
func (b *Budget) Release(n int64) { b.used.Add(-n) }

// Used returns the bytes that are taken.
func (b *Budget) Used() int64 { return b.used.Load() }
