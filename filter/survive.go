package filter

import (
	"slices"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// survive reads a piece of a message. If read panics, the rest of that piece alone is left out: else
// a sender who knows a defect could hide what follows. It returns the error of the context.
func (c *collector) survive(read func() error) (err error) {
	defer func() {
		if recover() != nil {
			c.again, c.inDoubt, c.guess = nil, false, false
			c.cut(reasonPanic)
		}
	}()
	return read()
}

// surviveLeaf is survive for a leaf. A leaf that it cannot read to its end counts as not read.
func (c *collector) surviveLeaf(m *mime.Message, leaf *mime.Part, prefix string) error {
	parts, done := len(c.parts), false
	err := c.survive(func() error {
		err := c.readLeaf(m, leaf, prefix)
		done = true
		return err
	})
	number := partNumber(prefix, leaf)
	if !done && !slices.ContainsFunc(c.parts[parts:], func(p report.Part) bool { return p.Number == number }) {
		c.unread(report.Part{Number: number, MediaType: leaf.MediaType}, reasonPanic)
	}
	return err
}
