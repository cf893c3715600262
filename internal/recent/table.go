// Package recent is a bounded cache of results.
package recent

import (
	"hash/maphash"
	"math/bits"
	"sync/atomic"
)

// A Table maps texts to values and keeps at most as many as it has slots. Several
// goroutines may use it at once, without locks.
//
// Each text has one slot, chosen by a keyed hash, and replaces the entry there. Get
// compares texts in full. So a sender of texts can push other texts out of the table, but
// cannot make it return a wrong value.
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

// Put stores a value for a text. Neither may be a slice of something large, which would
// then stay in memory.
func (t *Table[V]) Put(text string, value V) {
	if len(t.slots) > 0 {
		t.slots[t.slot(maphash.String(t.seed, text))].Store(&entry[V]{text, value})
	}
}

// entry returns the entry in the slot for a hash, or nil.
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
