package tld

// shortLen is the length in bytes of the longest label that is looked up as a number:
// the eighth byte of the number holds the length.
const shortLen = 7

// shortLabels holds labels of up to shortLen bytes in an open-addressed hash table of numbers. The
// scanner looks up the word after each dot of a text, and nearly all of these words are short. With a
// map of strings, scanning a text with many links takes a tenth longer.
type shortLabels struct {
	slots []uint64 // 0: free; the number of slots is a power of two
	shift uint
}

// lower maps ASCII letters to lower case, other ASCII bytes to themselves, and all other bytes to 0.
var lower = func() (t [256]uint8) {
	for c := range byte(0x80) {
		t[c] = c
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// shortKey returns label in lower case as a number, and false if it is too long or not ASCII.
func shortKey(label string) (uint64, bool) {
	if len(label) > shortLen {
		return 0, false
	}
	key, all := uint64(len(label)), byte(0)
	for i := range len(label) {
		all |= label[i]
		key = key<<8 | uint64(lower[label[i]])
	}
	return key, all < 0x80
}

// build fills the table with the short labels of names.
func (t *shortLabels) build(names map[string]struct{}) {
	bits := uint(1)
	for 1<<bits < 4*len(names) {
		bits++
	}
	t.slots, t.shift = make([]uint64, 1<<bits), 64-bits
	for n := range names {
		key, ok := shortKey(n)
		if !ok {
			continue
		}
		i := t.slot(key)
		for t.slots[i] != 0 {
			i = (i + 1) & (len(t.slots) - 1)
		}
		t.slots[i] = key
	}
}

// slot returns the index at which the search for key begins (Fibonacci hashing).
func (t *shortLabels) slot(key uint64) int {
	return int(key * 0x9e3779b97f4a7c15 >> t.shift)
}

// contains reports whether the label with this key is in the table. At most a quarter of
// the slots are taken, so the search ends soon.
func (t *shortLabels) contains(key uint64) bool {
	for i := t.slot(key); uint(i) < uint(len(t.slots)) && t.slots[i] != 0; i = (i + 1) & (len(t.slots) - 1) {
		if t.slots[i] == key {
			return true
		}
	}
	return false
}
