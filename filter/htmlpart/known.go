package htmlpart

import "math/bits"

// known has the keys of what was sent. Keys that are added in the first reading wait in a
// list: most sources have no other reading, and nothing looks for a key.
type known struct {
	table []uint64 // each key is where its last bits say, or behind; 0 for none
	size  int      // the number of keys in the table
	late  []uint64 // not yet in the table
}

// maxKnown bounds the number of items that are known, and so the memory for them.
const maxKnown = 1 << 17

// isFull reports whether there are too many keys for another item.
func (k *known) isFull() bool { return k.size+len(k.late) >= maxKnown }

// note adds a key, unless there are too many.
func (k *known) note(key uint64) {
	if !k.isFull() {
		k.late = append(k.late, key)
	}
}

// has reports whether a key was added.
func (k *known) has(key uint64) bool {
	k.settle()
	_, ok := k.find(max(key, 1))
	return ok
}

// add adds a key, and reports whether it is new.
func (k *known) add(key uint64) bool {
	k.settle()
	return k.put(max(key, 1))
}

// settle makes the late keys findable.
func (k *known) settle() {
	if size := 2 * (k.size + len(k.late)); k.table == nil || size >= len(k.table) {
		k.grow(size)
	}
	for _, key := range k.late {
		k.put(max(key, 1))
	}
	k.late = k.late[:0]
}

// put puts a key into the table, which has room, and reports whether it is new.
func (k *known) put(key uint64) bool {
	at, ok := k.find(key)
	if !ok {
		k.table[at] = key
		k.size++
	}
	return !ok
}

// find returns where a key is in the table, or its place where it is not there.
func (k *known) find(key uint64) (at int, ok bool) {
	mask := len(k.table) - 1
	for at = int(key) & mask; k.table[at] != 0; at = (at + 1) & mask {
		if k.table[at] == key {
			return at, true
		}
	}
	return at, false
}

// grow makes a table of more than size places.
func (k *known) grow(size int) {
	old := k.table
	k.table, k.size = make([]uint64, max(256, 1<<bits.Len(uint(size)))), 0
	for _, key := range old {
		if key != 0 {
			k.put(key)
		}
	}
}
