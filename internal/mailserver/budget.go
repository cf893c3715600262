package mailserver

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/filter"
)

// Defaults of Limits.
const (
	DefaultMemory int64 = 256 << 20
	DefaultTime         = 5 * time.Second // far below what MTAs wait for
)

// ErrNegative says that a limit is below 0.
var ErrNegative = errors.New("a limit is negative")

// Limits bound the work on messages. They may be changed while a server runs.
// Zero values mean the defaults.
type Limits struct {
	// MaxMessage is how many bytes of a message, header and body, the filter gets. A
	// larger message is [envelope.Envelope.Truncated], and the rest goes on unread.
	// The default is that of [filter.DefaultOptions].
	MaxMessage int64
	// Memory bounds the messages of all connections together, in bytes. The filter's
	// work on them has a second bound of the same size, see Server.Work. The filter
	// reads the beginning of a message that does not fit. Default DefaultMemory.
	Memory int64
	// Time is how long the filter may work on a message. Default DefaultTime.
	Time time.Duration
}

// Budget counts the memory that a server uses for messages, against its limits. Its
// methods may be called from several goroutines.
type Budget struct {
	limits atomic.Pointer[Limits]
	used   atomic.Int64

	mu      sync.Mutex
	working int64         // bytes of the work that has begun
	freed   chan struct{} // closed when work ends; nil where no message waits
}

// newBudget returns a Budget with those limits.
func newBudget(l Limits) (*Budget, error) {
	b := new(Budget)
	return b, b.setLimits(l)
}

// setLimits replaces the limits, or returns ErrNegative and changes nothing. Memory in
// use beyond a lower limit stays in use.
func (b *Budget) setLimits(l Limits) error {
	if min(l.MaxMessage, l.Memory, int64(l.Time)) < 0 {
		return ErrNegative
	}
	b.limits.Store(&Limits{
		MaxMessage: cmp.Or(l.MaxMessage, int64(filter.DefaultOptions().Limits.Message)),
		Memory:     cmp.Or(l.Memory, DefaultMemory),
		Time:       cmp.Or(l.Time, DefaultTime),
	})
	return nil
}

// Limits returns the limits of this moment, with the defaults in place.
func (b *Budget) Limits() Limits { return *b.limits.Load() }

// Reserve takes n bytes, or takes nothing and reports false.
func (b *Budget) Reserve(n int64) bool {
	if b.used.Add(n) > b.limits.Load().Memory {
		b.used.Add(-n)
		return false
	}
	return true
}

// Release gives n bytes back.
func (b *Budget) Release(n int64) { b.used.Add(-n) }

const (
	// workFactor is the memory for the filter's work on a message, as a multiple of its
	// size: the message, its text in UTF-8 and unflowed, the joined text of HTML, and the
	// edited message. Characters of one byte may take three in UTF-8.
	workFactor = 8
	// SmallWork is how many bytes of a message the filter reads if there is no memory for more.
	SmallWork int64 = 64 << 10
	// leastWork is how many bytes it reads if there is no memory for SmallWork either.
	leastWork int64 = 4 << 10
)

// maxLinks is the number of links of a message that the filter lists.
var maxLinks = int64(filter.DefaultOptions().Engine.MaxLinks)

// memory returns how many bytes the work on size bytes of a message may take. A report
// takes about 1 KiB for each link, and a short text may have thousands.
func memory(size int64) int64 {
	const linkSize, shortest = 1 << 10, int64(len("a.co "))
	return size*workFactor + linkSize*min(size/shortest, maxLinks)
}

// work waits until there is memory for the work on a message of size bytes. It waits at most
// half of Limits.Time, or a quarter more for the beginning of the message, and until ctx ends:
// the rest of the time is for the work. It returns how many bytes of the message the filter
// may read, and a function that ends the work. The bytes are fewer than size if the message
// does not fit.
func (b *Budget) work(ctx context.Context, size int64) (granted int64, end func()) {
	l := b.Limits()
	granted = min(size, max(l.Memory/3, SmallWork)) // await says what happens beyond that
	if !b.await(ctx, memory(granted), l.Memory, l.Time/2) {
		granted = min(size, SmallWork)
		if !b.await(ctx, memory(granted), l.Memory, l.Time/4) {
			granted = min(size, leastWork)
			b.mu.Lock()
			b.working += memory(granted)
			b.mu.Unlock()
		}
	}
	return granted, func() { b.end(memory(granted)) }
}

// await waits until n of the bytes for work are free and takes them. It reports false if they were
// not free in time. Work that needs more than all bytes waits until no other work is going on.
func (b *Budget) await(ctx context.Context, n, all int64, limit time.Duration) bool {
	var late <-chan time.Time
	for {
		b.mu.Lock()
		if b.working == 0 || b.working+n <= all {
			b.working += n
			b.mu.Unlock()
			return true
		}
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		freed := b.freed
		b.mu.Unlock()
		if late == nil {
			timer := time.NewTimer(limit)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case <-freed:
		case <-late:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// end gives back n bytes of work, and wakes up the messages that wait.
func (b *Budget) end(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.working -= n
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}
