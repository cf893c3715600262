package mailserver

import "io"

const (
	// firstPiece is how many bytes of memory each message may take without reserving them.
	firstPiece = 4 << 10
	// maxDeclared is up to how many bytes a declared size is trusted.
	maxDeclared = 64 << 10
)

// Collected is the beginning of a message, or all of it, in memory.
type Collected struct {
	Raw   []byte
	Rest  []byte // what was read beyond Raw
	Whole bool   // Raw is the whole message
	Short bool   // the memory was exhausted

	budget *Budget
	memory int64 // bytes reserved
}

// Collect reads content up to the limit, or as far as there is memory. The caller must call Free of
// the result. declared is the size that the client has announced, or 0.
func Collect(content io.Reader, declared int64, budget *Budget) *Collected {
	c := &Collected{budget: budget}
	limit := budget.Limits().MaxMessage
	size := min(max(declared+1, firstPiece), maxDeclared)
	if size > firstPiece && !c.Take(size) {
		size = firstPiece
	}
	c.Raw = make([]byte, 0, size)
	for {
		if len(c.Raw) == cap(c.Raw) && !c.grow(limit) {
			return c
		}
		n, err := content.Read(c.Raw[len(c.Raw):cap(c.Raw)])
		c.Raw = c.Raw[:len(c.Raw)+n]
		switch {
		case err != nil:
			c.Whole = err == io.EOF
			return c
		case int64(len(c.Raw)) > limit:
			// Bytes beyond the limit must not hide those before it.
			c.Rest = c.Raw[limit:]
			c.Raw = c.Raw[:limit:limit]
			return c
		}
	}
}

// grow makes room for more, or reports false if no memory is left.
func (c *Collected) grow(limit int64) bool {
	size := min(2*int64(cap(c.Raw)), limit+1)
	if size > SmallWork && !c.Take(size) {
		c.Short = true
		return false
	}
	grown := make([]byte, len(c.Raw), size)
	copy(grown, c.Raw)
	if size > SmallWork && c.memory > size {
		c.budget.Release(c.memory - size)
		c.memory = size
	}
	c.Raw = grown
	return true
}

// Take reserves n bytes more of the memory for messages, or nothing and reports false.
func (c *Collected) Take(n int64) bool {
	if !c.budget.Reserve(n) {
		return false
	}
	c.memory += n
	return true
}

// Free releases all reserved memory.
func (c *Collected) Free() { c.budget.Release(c.memory) }
