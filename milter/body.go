package milter

const (
	// smallChunk is the size in bytes up to which chunks are collected in blocks.
	smallChunk = 1 << 10
	// Sizes of these blocks in bytes: the first one, and the largest.
	firstBlock   = 4 << 10
	largestBlock = 64 << 10
)

// body collects the chunks of a message body without copying it again and again
// while it grows. Ordinary chunks are kept as they come; small ones, of which
// there may be very many, are copied into blocks.
type body struct {
	blocks [][]byte
	size   int64
}

// room is how many bytes fit into the last block.
func (b *body) room() int {
	if len(b.blocks) == 0 {
		return 0
	}
	last := b.blocks[len(b.blocks)-1]
	return cap(last) - len(last)
}

// write appends a chunk, which must not change afterwards. It calls reserve with the size of each
// block that it needs, and stops if that returns false.
func (b *body) write(chunk []byte, reserve func(int64) bool) {
	if len(chunk) > smallChunk {
		if reserve(int64(len(chunk))) {
			b.blocks = append(b.blocks, chunk[:len(chunk):len(chunk)])
			b.size += int64(len(chunk))
		}
		return
	}
	for len(chunk) > 0 {
		if b.room() == 0 {
			size := min(firstBlock<<min(len(b.blocks), 8), largestBlock)
			if !reserve(int64(size)) {
				return
			}
			b.blocks = append(b.blocks, make([]byte, 0, size))
		}
		last := &b.blocks[len(b.blocks)-1]
		n := min(len(chunk), cap(*last)-len(*last))
		*last = append(*last, chunk[:n]...)
		chunk = chunk[n:]
		b.size += int64(n)
	}
}

// appendTo appends the body to dst.
func (b *body) appendTo(dst []byte) []byte {
	for _, block := range b.blocks {
		dst = append(dst, block...)
	}
	return dst
}
