package history

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"
)

// An ID identifies a flagged message for good. Later messages have higher ones: it begins
// with the time in microseconds and ends with chance, so that two processes may write one
// file.
type ID int64

// chanceBits are the bits of an ID that do not come from the time.
const chanceBits = 11

// String returns the ID as addresses have it: 16 hexadecimal digits.
func (id ID) String() string { return fmt.Sprintf("%016x", uint64(id)) }

// MarshalText writes the ID as String does: numbers of JSON are not exact above 2^53.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (id *ID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 63)
	if err != nil || ID(n).String() != string(text) {
		return fmt.Errorf("id %q: not valid (want 16 hexadecimal digits)", text)
	}
	*id = ID(n)
	return nil
}

// firstID returns the lowest ID of a time, or a bound where the time is far away.
func firstID(t time.Time) ID {
	const farthest = 1<<(63-chanceBits) - 1
	return ID(min(max(t.Unix(), 0), farthest/1_000_000) * 1_000_000 << chanceBits)
}

// ids makes IDs. Several goroutines may use it.
type ids struct {
	mu   sync.Mutex
	last ID
}

// next returns an ID that is higher than those before.
func (g *ids) next(now time.Time) ID {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = max(g.last+1, ID(now.UnixMicro())<<chanceBits|ID(rand.N(int64(1)<<chanceBits)))
	return g.last
}
