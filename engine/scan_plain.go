package engine

import "math/bits"

// Nearly every host is plain: in ASCII, with one dot at its end at most. Such
// hosts are read here in one pass with few branches, of which a processor
// would guess wrong about one at each end of a label.

// The kinds of octets in a run. Two neighbours with a common bit make it
// necessary to look at a name more closely: a dot next to anything but a
// letter or digit, and two hyphens, which may be those of an A-label.
const (
	alnumKind  uint8 = 0b0000
	hyphenKind uint8 = 0b0001
	dotKind    uint8 = 0b0011
	endKind    uint8 = 0b0100 // no part of a run
	highKind   uint8 = 0b1000 // part of a code point beyond ASCII
)

// kinds holds the kind of each octet.
var kinds = func() (t [256]uint8) {
	for c := range t {
		switch {
		case octets[c]&highOctet != 0:
			t[c] = highKind
		case octets[c]&alnumOctet == 0:
			t[c] = endKind
		}
	}
	t['-'], t['.'] = hyphenKind, dotKind
	return t
}()

// plainRun reads the run that goes on at the offset i, where a label begins,
// if it is plain. It returns the ends of the run and of the name without a
// final dot, and where the last label of the name begins. If valid is true,
// text[i:name] is made of valid labels; if not, it may be so nevertheless.
func (sc *scan) plainRun(i int) (run, name, last int, valid, ok bool) {
	text, first := sc.text, i
	before, doubt, end := dotKind, uint8(0), endKind
	dots := uint64(0) // a bit for each octet, the latest lowest: is it a dot?
	for ; i < len(text); i++ {
		k := kinds[text[i]]
		if k >= endKind {
			end = k
			break
		}
		doubt |= before & k
		before = k
		dots = dots<<1 | uint64(k>>1)
	}
	if end == highKind || i-first > 64 && dots>>1 == 0 {
		return i, i, i, false, false
	}
	name = i
	if before == dotKind {
		name, dots = i-1, dots>>1
		if name <= first || dots&1 != 0 {
			return i, i, i, false, false
		}
	} else {
		doubt |= before // after it comes the end of the name
	}
	last = first
	if dots != 0 {
		last = name - bits.TrailingZeros64(dots)
	}
	return i, name, last, doubt == 0 && name-first <= maxLabel, true
}

// isPlainDomain reports whether text[a:e] is a valid domain name in plain
// ASCII and no longer than a label may be. If not, it may be one nevertheless.
func (sc *scan) isPlainDomain(a, e int) bool {
	if e-a > maxLabel {
		return false
	}
	before, doubt := dotKind, uint8(0)
	for _, c := range []byte(sc.text[a:e]) {
		k := kinds[c]
		doubt |= before&k | k&^dotKind
		before = k
	}
	return doubt|before == 0
}
