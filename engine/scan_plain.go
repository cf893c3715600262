package engine

// Nearly every host is plain: in ASCII, with one dot at its end at most. Such
// hosts are read here in one pass with few branches, of which a processor
// would guess wrong about one at each end of a label.

// The kinds of octets in a run.
const (
	alnumKind uint8 = iota
	hyphenKind
	dotKind
	endKind  // no part of a run
	highKind // part of a code point beyond ASCII
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

// doubts is not zero for two neighbours that make it necessary to look at a
// name more closely: a dot next to anything but a letter or a digit, and two
// hyphens, which may be those of an A-label.
var doubts = [4][4]uint8{
	hyphenKind: {hyphenKind: 1, dotKind: 1},
	dotKind:    {hyphenKind: 1, dotKind: 1},
}

// plainRun reads the run that goes on at the offset i, where a label begins,
// if it is plain. It returns the ends of the run and of the name without a
// final dot, and where the last label of the name begins. If valid is true,
// text[i:name] is made of valid labels; if not, it may be so nevertheless.
func (sc *scan) plainRun(i int) (run, name, last int, valid, ok bool) {
	text, first := sc.text, i
	before, doubt := dotKind, uint8(0)
	for ; i < len(text); i++ {
		k := kinds[text[i]]
		if k >= endKind {
			if k == highKind {
				return i, i, i, false, false
			}
			break
		}
		doubt |= doubts[before&3][k]
		before = k
	}
	name = i
	if before == dotKind {
		if name--; name <= first || text[name-1] == '.' {
			return i, i, i, false, false
		}
	} else {
		doubt |= doubts[before&3][dotKind]
	}
	last = name
	for last > first && text[last-1] != '.' {
		last--
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
		if k >= endKind {
			return false
		}
		doubt |= doubts[before&3][k]
		before = k
	}
	return doubt|doubts[before&3][dotKind] == 0
}
