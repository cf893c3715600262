// Package recent remembers what was computed lately, within a bound.
package recent

import (
	"hash/maphash"
	"math/bits"
	"sync/atomic"
)

// A Table remembers values by texts, not more of them than it has slots. It may be
// used by several goroutines at once, without locks.
//
// A text has one slot, which it takes from whatever is there: nothing has to be
// counted or cleared away. Texts are compared in full, and a secret decides about
// slots. So whoever sends texts can have others forgotten, never mistaken.
type Table[V any] struct {
	seed  maphash.Seed
	slots []atomic.Pointer[entry[V]]
}

// An entry does not change.
type entry[V any] struct {
	text  string
	value V
}

// NewTable returns an empty table. One without slots remembers nothing.
func NewTable[V any](slots int) *Table[V] {
	return &Table[V]{seed: maphash.MakeSeed(), slots: make([]atomic.Pointer[entry[V]], slots)}
}

// Get returns the value for a text, which callers must not change, or nil.
func (t *Table[V]) Get(text string) *V {
	if e := t.entry(maphash.String(t.seed, text)); e != nil && e.text == text {
		return &e.value
	}
	return nil
}

// Put remembers a value by a text. Neither may be a piece of anything large, which
// would then stay in memory as well.
func (t *Table[V]) Put(text string, value V) {
	if len(t.slots) > 0 {
		t.slots[t.slot(maphash.String(t.seed, text))].Store(&entry[V]{text, value})
	}
}

// entry returns what is in the slot for a hash, or nil.
func (t *Table[V]) entry(hash uint64) *entry[V] {
	if len(t.slots) == 0 {
		return nil
	}
	return t.slots[t.slot(hash)].Load()
}

// slot maps a hash to the index of a slot.
func (t *Table[V]) slot(hash uint64) uint64 {
	slot, _ := bits.Mul64(hash, uint64(len(t.slots)))
	return slot
}
