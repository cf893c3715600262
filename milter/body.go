package milter

// Blocks of a body buffer in bytes: the first is sized for the many small
// messages, the others for the large ones.
const (
	firstBlock = 4 << 10
	bodyBlock  = 64 << 10
)

// body collects the chunks of a message body in blocks, so that a long body
// is neither copied nor doubled while it grows.
type body struct {
	blocks [][]byte
	size   int64
}

// room is how many bytes fit without another block.
func (b *body) room() int {
	if len(b.blocks) == 0 {
		return 0
	}
	last := b.blocks[len(b.blocks)-1]
	return cap(last) - len(last)
}

// next is the size of the next block if n bytes are to go into it.
func (b *body) next(n int) int {
	if len(b.blocks) == 0 && n <= firstBlock {
		return firstBlock
	}
	return bodyBlock
}

// write appends a copy of chunk. Before it needs another block it calls reserve
// with the block's size; where that reports false, write stops and does as well.
func (b *body) write(chunk []byte, reserve func(int64) bool) bool {
	for len(chunk) > 0 {
		if b.room() == 0 {
			size := b.next(len(chunk))
			if !reserve(int64(size)) {
				return false
			}
			b.blocks = append(b.blocks, make([]byte, 0, size))
		}
		last := &b.blocks[len(b.blocks)-1]
		n := min(len(chunk), cap(*last)-len(*last))
		*last = append(*last, chunk[:n]...)
		chunk = chunk[n:]
		b.size += int64(n)
	}
	return true
}

// appendTo appends the body to dst.
func (b *body) appendTo(dst []byte) []byte {
	for _, block := range b.blocks {
		dst = append(dst, block...)
	}
	return dst
}
