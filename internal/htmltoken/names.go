package htmltoken

import "hash/maphash"

// names finds the attributes of a tag by their name, where there are many.
type names struct {
	table []uint32 // bits of the hash of a name above 1 + its index, at its place or behind; 0 for none
	known int      // the number of names in the table
}

// indexBits is the number of bits of 1 + an index, which is below maxPlain.
const indexBits = 20

var seed = maphash.MakeSeed()

// add reports whether no attribute has a name. Then the caller adds it to them.
func (n *names) add(attributes []Attribute, name string) bool {
	if 2*len(attributes) >= len(n.table) || n.known == 0 {
		n.grow(len(attributes))
	}
	for n.known < len(attributes) {
		n.put(attributes, attributes[n.known].name)
	}
	return n.put(attributes, name)
}

// put puts the next name into the table, unless it is there, and reports whether it was not.
func (n *names) put(attributes []Attribute, name string) bool {
	name = Lower(name)
	hash, mask := maphash.String(seed, name), len(n.table)-1
	bits := uint32(hash >> (32 + indexBits))
	at := int(hash) & mask
	for ; n.table[at] != 0; at = (at + 1) & mask {
		if n.table[at]>>indexBits != bits {
			continue
		}
		if other := attributes[n.table[at]%(1<<indexBits)-1].name; other == name || Lower(other) == name {
			return false
		}
	}
	n.known++
	n.table[at] = bits<<indexBits | uint32(n.known)
	return true
}

// grow empties the table, with room for more than size names.
func (n *names) grow(size int) {
	room := 256
	for room <= 4*size {
		room *= 2
	}
	if n.known = 0; room <= cap(n.table) {
		n.table = n.table[:room]
		clear(n.table)
		return
	}
	n.table = make([]uint32, room)
}
