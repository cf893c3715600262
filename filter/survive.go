package filter

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
