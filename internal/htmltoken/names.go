package htmltoken

import "hash/maphash"

// names finds the attributes of a tag by their name, where there are many.
type names struct {
	table []uint32 // 1 + the index of an attribute, where its hash says or behind; 0 for none
	known int      // the number of attributes in the table
}

var seed = maphash.MakeSeed()

// has reports whether some attributes, to which more are added at the end, have one with a name.
func (n *names) has(attributes []Attribute, name string) bool {
	if 2*len(attributes) >= len(n.table) || n.known == 0 {
		n.grow(len(attributes))
	}
	for ; n.known < len(attributes); n.known++ {
		n.table[n.find(attributes, attributes[n.known].name)] = uint32(n.known + 1)
	}
	return n.table[n.find(attributes, name)] != 0
}

// find returns the place of a name in the table.
func (n *names) find(attributes []Attribute, name string) int {
	name = Lower(name)
	mask := len(n.table) - 1
	at := int(maphash.String(seed, name)) & mask
	for ; n.table[at] != 0; at = (at + 1) & mask {
		if other := attributes[n.table[at]-1].name; other == name || Lower(other) == name {
			break
		}
	}
	return at
}

// grow empties the table, with room for more than size attributes.
func (n *names) grow(size int) {
	room := 256
	for room <= 2*size {
		room *= 2
	}
	if n.known = 0; room <= cap(n.table) {
		n.table = n.table[:room]
		clear(n.table)
		return
	}
	n.table = make([]uint32, room)
}
