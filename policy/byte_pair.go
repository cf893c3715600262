package policy

// pairs are pairs of bytes, some of which share a bit.
type pairs [pairBits / 64]uint64

const pairBits = 2048

// firstBytes returns the first two bytes of s, which has as many.
func firstBytes[S string | []byte](s S) [2]byte { return [2]byte{s[0], s[1]} }

// lastBytes returns the last two bytes of s, which has as many.
func lastBytes[S string | []byte](s S) [2]byte { return [2]byte{s[len(s)-2], s[len(s)-1]} }

func (p *pairs) add(pair [2]byte) {
	word, mask := bit(pair)
	p[word] |= mask
}

// mayHave reports whether p has the pair, or another one with its bit.
func (p *pairs) mayHave(pair [2]byte) bool {
	word, mask := bit(pair)
	return p[word]&mask != 0
}

// bit returns the place of the bit for a pair.
func bit(pair [2]byte) (word int, mask uint64) {
	i := (int(pair[0])<<5 ^ int(pair[1])) % pairBits
	return i / 64, 1 << (i % 64)
}
