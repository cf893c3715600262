package milter

import (
	"bytes"
	"testing"
)

func TestBody(t *testing.T) {
	tests := []struct {
		name     string
		chunks   []int // sizes in bytes
		reserved int64
	}{
		{"empty", nil, 0},
		{"empty chunk", []int{0}, 0},
		{"small", []int{10}, firstBlock},
		{"several small ones", []int{1000, 1000, 1000, 1000, 96}, firstBlock},
		{"one more", []int{1000, 1000, 1000, 1000, 97}, 3 * firstBlock},
		{"at the limit", []int{smallChunk, smallChunk + 1}, firstBlock + smallChunk + 1},
		{"large ones are kept", []int{65_535, 65_535, 5000}, 65_535 + 65_535 + 5000},
		{"mixed", []int{10, 5000, 10}, firstBlock + 5000 + 4*firstBlock},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b body
			var want []byte
			reserved := int64(0)
			for i, n := range test.chunks {
				chunk := bytes.Repeat([]byte{byte('a' + i)}, n)
				want = append(want, chunk...)
				b.write(chunk, func(n int64) bool {
					reserved += n
					return true
				})
			}
			if got := b.appendTo(nil); !bytes.Equal(got, want) || b.size != int64(len(want)) {
				t.Errorf("%d bytes, size %d, want %d", len(got), b.size, len(want))
			}
			if reserved != test.reserved {
				t.Errorf("reserved %d bytes, want %d", reserved, test.reserved)
			}
		})
	}
}

// TestBodyOfSingleBytes: blocks grow, so that a body in chunks of one byte does not take many times
// its size.
func TestBodyOfSingleBytes(t *testing.T) {
	var b body
	reserved := int64(0)
	for range 1 << 20 {
		b.write([]byte{'x'}, func(n int64) bool {
			reserved += n
			return true
		})
	}
	if b.size != 1<<20 || reserved > b.size+largestBlock {
		t.Errorf("%d bytes reserved for %d", reserved, b.size)
	}
}

func TestBodyWithoutMemory(t *testing.T) {
	var b body
	left := int64(firstBlock)
	reserve := func(n int64) bool {
		left -= n
		return left >= 0
	}
	b.write(make([]byte, 100), reserve)
	b.write(make([]byte, 10_000), reserve)
	if b.size != 100 {
		t.Errorf("%d bytes", b.size)
	}
}
