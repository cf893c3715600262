package contentfilter

import (
	"io"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

const (
	// firstPiece is what each message may take of memory without asking, in bytes.
	firstPiece = 4 << 10
	// maxDeclared is how much of a declared size is believed, in bytes.
	maxDeclared = 64 << 10
)

// collected is the beginning of a message, or all of it, in memory.
type collected struct {
	raw    []byte
	rest   []byte // what was read beyond raw
	whole  bool   // raw is the whole message
	short  bool   // the memory was exhausted
	budget *mailserver.Budget
	memory int64 // reserved
}

// collect reads content up to the limit or as far as there is memory. declared is
// the size that the client has announced, or 0.
func collect(content io.Reader, declared int64, budget *mailserver.Budget) *collected {
	c := &collected{budget: budget}
	limit := budget.Limits().MaxMessage
	size := min(max(declared+1, firstPiece), maxDeclared)
	if size > firstPiece && !c.take(size) {
		size = firstPiece
	}
	c.raw = make([]byte, 0, size)
	for {
		if len(c.raw) == cap(c.raw) && !c.grow(limit) {
			return c
		}
		n, err := content.Read(c.raw[len(c.raw):cap(c.raw)])
		c.raw = c.raw[:len(c.raw)+n]
		switch {
		case err != nil:
			c.whole = err == io.EOF
			return c
		case int64(len(c.raw)) > limit:
			// Bytes beyond the limit must not hide those before it.
			c.rest = c.raw[limit:]
			c.raw = c.raw[:limit:limit]
			return c
		}
	}
}

// grow makes room for more, or reports false where the memory is exhausted.
func (c *collected) grow(limit int64) bool {
	size := min(2*int64(cap(c.raw)), limit+1)
	if size > mailserver.SmallWork && !c.take(size) {
		c.short = true
		return false
	}
	grown := make([]byte, len(c.raw), size)
	copy(grown, c.raw)
	if size > mailserver.SmallWork && c.memory > size {
		c.budget.Release(c.memory - size)
		c.memory = size
	}
	c.raw = grown
	return true
}

// take reserves n bytes of the memory for messages.
func (c *collected) take(n int64) bool {
	if !c.budget.Reserve(n) {
		return false
	}
	c.memory += n
	return true
}

// free gives back all that is reserved.
func (c *collected) free() { c.budget.Release(c.memory) }
