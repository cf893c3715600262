package policy

import "unicode/utf8"

// The lengths in code points of the shortest names whose typing errors count: of the
// operator's domains and of impersonated ones. Shorter names are near many others.
const (
	minOwnTyped   = 5
	minBrandTyped = 6
)

// A nameIndex has the protected names of which typing errors count, by their first
// and by their last two bytes. One edit in a name leaves one of the two pairs.
type nameIndex struct {
	byStart, byEnd pairIndex
}

// A pairIndex has domains by two bytes of their names. Most pairs are of none, and of no key: a
// bit for each remainder of a pair tells so.
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

// of returns the domains whose names have the pair.
func (x *pairIndex) of(pair [2]byte) namesakes {
	if !x.some.mayHave(pair) {
		return nil
	}
	return x.domains[pair]
}

// namesakes are domains whose names share a key, or two bytes.
type namesakes []*protectedDomain

// add adds a domain if its name is long enough.
func (x *nameIndex) add(d *protectedDomain) {
	if !d.isLong() {
		return
	}
	x.byStart.add(firstBytes(d.word), d)
	x.byEnd.add(lastBytes(d.word), d)
	key := wordKey(d.word)
	x.byStart.some.add(firstBytes(key))
	x.byEnd.some.add(lastBytes(key))
}

// isLong reports whether the name of d is long enough for its typing errors to count.
func (d *protectedDomain) isLong() bool {
	shortest := minBrandTyped
	if d.own {
		shortest = minOwnTyped
	}
	return utf8.RuneCountInString(d.word) >= shortest
}
