package policy

// The lengths, by nameLength, of the shortest names for which typing errors count: those of the
// operator's domains, and impersonated ones. Shorter names are near many others.
const (
	minOwnTyped   = 5
	minBrandTyped = 6
)

// A nameIndex finds protected names by their first and by their last two bytes, because one typing
// error leaves one of the two pairs unchanged.
type nameIndex struct {
	byStart, byEnd pairIndex
	isShaped       bool // the index has the shapes of the names
}

// isEmpty reports whether the index has no name.
func (x *nameIndex) isEmpty() bool { return x.byStart.domains == nil }

// text returns the name of d in the form of the index.
func (x *nameIndex) text(d *protectedDomain) string {
	if x.isShaped {
		return d.shape
	}
	return d.word
}

// words returns the words that phishing adds, in the form of the index.
func (x *nameIndex) words() *addedWordSet {
	if x.isShaped {
		return inShape()
	}
	return asWritten
}

// A pairIndex finds domains by two bytes of their names. Most pairs occur in no name; one bit for
// each hash of a pair says so without a map lookup.
type pairIndex struct {
	domains map[[2]byte]namesakes
	some    pairs
}

// add adds a domain.
func (x *pairIndex) add(pair [2]byte, d *protectedDomain) {
	if x.domains == nil {
		x.domains = make(map[[2]byte]namesakes)
	}
	x.domains[pair] = append(x.domains[pair], d)
	x.some.add(pair)
}

// of returns the domains whose names have the pair at the indexed place.
func (x *pairIndex) of(pair [2]byte) namesakes {
	if !x.some.mayHave(pair) {
		return nil
	}
	return x.domains[pair]
}

// namesakes are domains whose names share something: a key, or two bytes.
type namesakes []*protectedDomain

// add adds a domain if its name is long enough.
func (x *nameIndex) add(d *protectedDomain) {
	if !d.isLong() {
		return
	}
	x.byStart.add(firstBytes(x.text(d)), d)
	x.byEnd.add(lastBytes(x.text(d)), d)
}

// isLong reports whether the name of d is long enough for its typing errors to count.
func (d *protectedDomain) isLong() bool {
	shortest := minBrandTyped
	if d.own {
		shortest = minOwnTyped
	}
	return nameLength(d.word) >= shortest
}

// pairs is a set of pairs of bytes, with one bit for several pairs.
type pairs [pairBits / 64]uint64

const pairBits = 2048

// firstBytes returns the first two bytes of s, which must have two.
func firstBytes[S string | []byte](s S) [2]byte { return [2]byte{s[0], s[1]} }

// lastBytes returns the last two bytes of s, which must have two.
func lastBytes[S string | []byte](s S) [2]byte { return [2]byte{s[len(s)-2], s[len(s)-1]} }

func (p *pairs) add(pair [2]byte) {
	word, mask := bit(pair)
	p[word] |= mask
}

// mayHave reports whether p has the pair, or another pair with the same bit.
func (p *pairs) mayHave(pair [2]byte) bool {
	word, mask := bit(pair)
	return p[word]&mask != 0
}

// bit returns the place of the bit for a pair.
func bit(pair [2]byte) (word int, mask uint64) {
	i := (int(pair[0])<<5 ^ int(pair[1])) % pairBits
	return i / 64, 1 << (i % 64)
}
