package mime

import (
	"hash/maphash"
)

// A digest lets texts be compared without keeping them. Its key is random for each process, so a sender
// cannot construct two texts with the same digest. By chance, two texts have the same digest once in
// 2^64 times.
type digest struct{ hash maphash.Hash }

var digestKey = maphash.MakeSeed()

func newDigest() (d digest) {
	d.hash.SetSeed(digestKey)
	return d
}

// normalised adds data without CR: LF and CRLF line ends give the same digest.
func (d *digest) normalised(data []byte) {
	withoutCR(data, func(piece []byte) { _, _ = d.hash.Write(piece) }) // never fails
}

func (d *digest) sum() uint64 { return d.hash.Sum64() }

// digestOf returns the digest of a text after edits.
func digestOf(text string, edits ...Edit) uint64 {
	d := newDigest()
	pos := 0
	for _, e := range edits {
		_, _ = d.hash.WriteString(text[pos:e.Start])
		_, _ = d.hash.Write(e.New)
		pos = e.End
	}
	_, _ = d.hash.WriteString(text[pos:])
	return d.sum()
}
