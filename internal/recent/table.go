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
// A keyed hash chooses a pair of slots for each text, and a new text replaces the older entry of
// its pair. With single slots, two texts in use that share one would replace each other again and
// again. Get compares texts in full. So a sender of texts can push other texts out of the table,
// but cannot make it return a wrong value.
type Table[V any] struct {
	seed  maphash.Seed
	slots []slot[V]
}

// A slot holds an entry, or nil.
type slot[V any] = atomic.Pointer[entry[V]]

// An entry does not change.
type entry[V any] struct {
	text  string
	value V
}

// NewTable returns an empty table. A table without slots remembers nothing.
func NewTable[V any](slots int) *Table[V] {
	return &Table[V]{seed: maphash.MakeSeed(), slots: make([]slot[V], slots)}
}

// Get returns the value for a text, which callers must not change, or nil.
func (t *Table[V]) Get(text string) *V {
	newer, older := t.pair(text)
	for _, slot := range [...]*slot[V]{newer, older} {
		if slot == nil {
			return nil
		}
		if e := slot.Load(); e != nil && e.text == text {
			return &e.value
		}
	}
	return nil
}

// Put stores a value for a text. Neither may be a slice of something large, which would
// then stay in memory.
func (t *Table[V]) Put(text string, value V) {
	newer, older := t.pair(text)
	if newer == nil {
		return
	}
	if e := newer.Load(); older != nil && e != nil && e.text != text {
		older.Store(e)
	}
	newer.Store(&entry[V]{text, value})
}

// pair returns the slots of a text: that of the newer entry and that of the older one. In a table
// with an odd number of slots, the last pair has only the first slot.
func (t *Table[V]) pair(text string) (newer, older *slot[V]) {
	if len(t.slots) == 0 {
		return nil, nil
	}
	i, _ := bits.Mul64(maphash.String(t.seed, text), uint64(len(t.slots)))
	i &^= 1
	newer = &t.slots[i]
	if i+1 < uint64(len(t.slots)) {
		older = &t.slots[i+1]
	}
	return newer, older
}
