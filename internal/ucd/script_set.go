package ucd

import "math/bits"

// A Script is a value of the property Script (UAX #24), or one of the three
// writing systems of UTS #39 §5.1.
type Script uint8

// A ScriptSet is a set of scripts. The zero value is empty. Sets are values:
// operations allocate nothing, and == compares.
type ScriptSet [3]uint64

// Scripts returns the set of the given scripts.
func Scripts(scripts ...Script) ScriptSet {
	var s ScriptSet
	for _, sc := range scripts {
		s = s.With(sc)
	}
	return s
}

// With returns the set with the script added.
func (s ScriptSet) With(sc Script) ScriptSet {
	s[sc/64] |= 1 << (sc % 64)
	return s
}

// Has reports whether the script is in the set.
func (s ScriptSet) Has(sc Script) bool {
	return s[sc/64]&(1<<(sc%64)) != 0
}

// And returns the intersection of the sets.
func (s ScriptSet) And(t ScriptSet) ScriptSet {
	return ScriptSet{s[0] & t[0], s[1] & t[1], s[2] & t[2]}
}

// Or returns the union of the sets.
func (s ScriptSet) Or(t ScriptSet) ScriptSet {
	return ScriptSet{s[0] | t[0], s[1] | t[1], s[2] | t[2]}
}

// Without returns the set with the scripts of t removed.
func (s ScriptSet) Without(t ScriptSet) ScriptSet {
	return ScriptSet{s[0] &^ t[0], s[1] &^ t[1], s[2] &^ t[2]}
}

// IsEmpty reports whether the set has no script.
func (s ScriptSet) IsEmpty() bool { return s == ScriptSet{} }

// Len returns the number of scripts in the set.
func (s ScriptSet) Len() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2])
}

// Append appends the scripts of the set, by code, to dst.
func (s ScriptSet) Append(dst []Script) []Script {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, Script(64*i+bits.TrailingZeros64(w)))
		}
	}
	return dst
}
