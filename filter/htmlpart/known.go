package htmlpart

// known has the keys of what was sent. Keys that are added in the first reading wait in a
// list: most sources have no other reading, and nothing looks for a key.
type known struct {
	keys map[uint64]struct{}
	late []uint64 // not yet among the keys
}

// maxKnown bounds the number of items that are known, and so the memory for them.
const maxKnown = 1 << 17

// note adds a key, unless there are too many.
func (k *known) note(key uint64) {
	if len(k.keys)+len(k.late) < maxKnown {
		k.late = append(k.late, key)
	}
}

// has reports whether a key was added.
func (k *known) has(key uint64) bool {
	k.settle()
	_, ok := k.keys[key]
	return ok
}

// add adds a key, and reports whether it is new.
func (k *known) add(key uint64) bool {
	if k.has(key) {
		return false
	}
	k.keys[key] = struct{}{}
	return true
}

// settle makes the late keys findable.
func (k *known) settle() {
	if k.keys == nil {
		k.keys = make(map[uint64]struct{}, len(k.late))
	}
	for _, key := range k.late {
		if len(k.keys) < maxKnown {
			k.keys[key] = struct{}{}
		}
	}
	k.late = k.late[:0]
}
