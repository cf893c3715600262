package contentfilter

import (
	"bytes"
	"io"

	"github.com/linkmilter/linkmilter/internal/budget"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

const (
	// firstPiece is what each message may take of memory without asking.
	firstPiece = 4 << 10
	// maxDeclared is how much of a declared size is believed.
	maxDeclared = 64 << 10
)

// collect reads the content into raw, up to the limit or as far as there is
// memory.
func (d *delivery) collect() {
	limit := d.server.budget.Limits().MaxMessage
	size := min(max(d.message.size+1, firstPiece), maxDeclared)
	if size > firstPiece && !d.take(size) {
		size = firstPiece
	}
	d.raw = make([]byte, 0, size)
	for {
		if len(d.raw) == cap(d.raw) && !d.grow(limit) {
			return
		}
		n, err := d.content.Read(d.raw[len(d.raw):cap(d.raw)])
		d.raw = d.raw[:len(d.raw)+n]
		switch {
		case err == io.EOF:
			d.whole = true
			return
		case err != nil:
			return
		case int64(len(d.raw)) > limit:
			// What is behind the limit must not hide what stands before it.
			d.rest = d.raw[limit:]
			d.raw = d.raw[:limit:limit]
			return
		}
	}
}

// grow makes room for more, or reports false where there is no memory for that.
func (d *delivery) grow(limit int64) bool {
	size := min(2*int64(cap(d.raw)), limit+1)
	if size > budget.SmallWork && !d.take(size) {
		d.Reason = outcome.Memory
		return false
	}
	grown := make([]byte, len(d.raw), size)
	copy(grown, d.raw)
	if size > budget.SmallWork && d.memory > size {
		d.server.budget.Release(d.memory - size)
		d.memory = size
	}
	d.raw = grown
	return true
}

// take reserves n bytes of the memory for messages.
func (d *delivery) take(n int64) bool {
	if !d.server.budget.Reserve(n) {
		return false
	}
	d.memory += n
	return true
}

// releaser returns what gives back the memory that is reserved now.
func (d *delivery) releaser() func() {
	reserved, n := d.server.budget, d.memory
	return func() { reserved.Release(n) }
}

// free gives back what is reserved, unless the filter still holds it.
func (d *delivery) free() {
	if !d.held {
		d.server.budget.Release(d.memory)
	}
}

// hops returns the number of Received fields in the header of a message.
func hops(raw []byte) int {
	name := []byte("received")
	n := 0
	for len(raw) > 0 {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		if len(bytes.TrimRight(line, "\r")) == 0 {
			break
		}
		if len(line) > len(name) && bytes.EqualFold(line[:len(name)], name) && bytes.HasPrefix(bytes.TrimLeft(line[len(name):], " \t"), []byte(":")) {
			n++
		}
		raw = rest
	}
	return n
}
