package mime

import (
	"hash/maphash"
)

// A digest tells texts apart that are not kept. It is made with a key of this
// process: nobody who writes mail can know two texts with the same digest, and two
// that differ by accident have the same one once in 2^64 times.
type digest struct{ hash maphash.Hash }

var digestKey = maphash.MakeSeed()

func newDigest() (d digest) {
	d.hash.SetSeed(digestKey)
	return d
}

// normalised adds bytes without their CR, which stand before LF: a text has the
// same digest with either line end.
func (d *digest) normalised(data []byte) {
	withoutCR(data, func(piece []byte) { _, _ = d.hash.Write(piece) }) // never fails
}

func (d *digest) sum() uint64 { return d.hash.Sum64() }

// digestOf returns the digest of a text after edits of it.
func digestOf(text string, edits ...TextEdit) uint64 {
	d := newDigest()
	pos := 0
	for _, e := range edits {
		_, _ = d.hash.WriteString(text[pos:e.Start])
		_, _ = d.hash.WriteString(e.New)
		pos = e.End
	}
	_, _ = d.hash.WriteString(text[pos:])
	return d.sum()
}
