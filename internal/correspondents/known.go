package correspondents

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"iter"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linkmilter/linkmilter/policy"
)

// known is the knowledge in memory, where messages look it up. Several goroutines may use it.
type known struct {
	generation atomic.Uint64

	mu        sync.RWMutex
	key       []byte     // nil: the file is not read
	hashes    *sync.Pool // of hash.Hash with the key
	domains   map[string]policy.Correspondent
	index     index
	addresses hashSet
}

// generations counts new domains in all files, so that no two states have the same number.
var generations atomic.Uint64

// replace forgets all, and takes what a file has.
func (k *known) replace(key []byte, domains map[string]policy.Correspondent, addresses []uint64) {
	x := newIndex(func(yield func(string) bool) {
		for domain, c := range domains {
			if c.Counts() && !yield(domain) {
				return
			}
		}
	})
	set := newHashSet(addresses)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.key, k.domains, k.index, k.addresses = key, domains, x, set
	k.hashes = &sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}
	k.generation.Store(generations.Add(1))
}

// learn adds what was written to the file.
func (k *known) learn(domains map[string]policy.Correspondent, addresses []uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for domain, c := range domains {
		before := k.domains[domain]
		k.domains[domain] = c
		if c.Counts() && !before.Counts() {
			k.index.add(domain)
			k.generation.Store(generations.Add(1))
		}
	}
	for _, hash := range addresses {
		k.addresses.add(hash)
	}
}

// size returns how many domains count, and how many addresses there are.
func (k *known) size() (domains, addresses int) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.index.names), k.addresses.size()
}

// Domain returns what is known of a registrable domain, A-labels.
func (k *known) Domain(name string) policy.Correspondent {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.domains[name]
}

// Near appends the domains of correspondents that have one of the keys.
func (k *known) Near(dst []string, keys []uint64) []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.index.find(dst, keys)
}

// HasAddress reports whether users wrote to an address. ok is false while the file is not read.
func (k *known) HasAddress(address string) (has, ok bool) {
	normal, _, valid := splitAddress(address)
	k.mu.RLock()
	defer k.mu.RUnlock()
	if !valid || k.key == nil {
		return false, false
	}
	h := k.hashes.Get().(hash.Hash)
	defer k.hashes.Put(h)
	return k.addresses.has(hashBy(h, kindAddress, normal)), true
}

// Generation returns a number that changes with each new domain.
func (k *known) Generation() uint64 { return k.generation.Load() }

// The kinds of what is hashed: a user who writes is another fact than an address written to.
const (
	kindAddress = "address "
	kindUser    = "user "
)

// hashOf returns the keyed hash of an address. Without the key nobody can try addresses.
func hashOf(key []byte, kind, address string) uint64 {
	return hashBy(hmac.New(sha256.New, key), kind, address)
}

func hashBy(h hash.Hash, kind, address string) uint64 {
	h.Reset()
	var room [128]byte
	_, _ = h.Write(append(append(room[:0], kind...), address...)) // never fails
	var sum [sha256.Size]byte
	return binary.BigEndian.Uint64(h.Sum(sum[:0]))
}

// An index finds domains by keys: most are in a sorted list, new ones in a map.
type index struct {
	names   []string
	entries []uint64 // the upper bits of a key, and the number of a name; sorted
	starts  starts
	some    keyFilter           // of entries
	recent  map[uint64][]uint32 // numbers of names
}

// maxRecent is how many hashes a map has before they move to the sorted list, beside a share of it.
const maxRecent = 1 << 14

// newIndex returns the index of domains.
func newIndex(domains iter.Seq[string]) (x index) {
	for domain := range domains {
		if len(x.names) == maxNames {
			break
		}
		for _, key := range policy.NearKeys(domain) {
			x.entries = append(x.entries, entryOf(key, uint32(len(x.names))))
		}
		x.names = append(x.names, domain)
	}
	x.sort()
	return x
}

// nameBits are the bits of an entry for the number of a name. Of more names the index has the first ones.
const (
	nameBits = 24
	maxNames = 1 << nameBits
)

func entryOf(key uint64, name uint32) uint64 { return key&^(maxNames-1) | uint64(name) }

// add adds a domain that the index does not have.
func (x *index) add(domain string) {
	if len(x.names) == maxNames {
		return
	}
	number := uint32(len(x.names))
	x.names = append(x.names, domain)
	if x.recent == nil {
		x.recent = make(map[uint64][]uint32)
	}
	for _, key := range policy.NearKeys(domain) {
		x.recent[key] = append(x.recent[key], number)
	}
	if len(x.recent) > maxRecent+len(x.entries)/8 {
		x.settle()
	}
}

// settle moves the keys of the map to the sorted list.
func (x *index) settle() {
	for key, names := range x.recent {
		for _, name := range names {
			x.entries = append(x.entries, entryOf(key, name))
		}
	}
	x.recent = nil
	x.sort()
}

func (x *index) sort() {
	slices.Sort(x.entries)
	x.starts = newStarts(len(x.entries), func(i int) uint64 { return x.entries[i] })
	x.some = newKeyFilter(x.entries)
}

// find appends the domains that have one of the keys. Two keys may have the same upper bits: the caller compares
// a few domains in vain.
func (x *index) find(dst []string, keys []uint64) []string {
	for _, key := range keys {
		if x.some.mayHave(key) {
			low, high := x.starts.around(key)
			for _, e := range x.entries[low:high] {
				if e>>nameBits == key>>nameBits {
					dst = append(dst, x.names[e%maxNames])
				}
			}
		}
		if len(x.recent) > 0 {
			for _, name := range x.recent[key] {
				dst = append(dst, x.names[name])
			}
		}
	}
	return dst
}

// A keyFilter has a bit for each key. Of keys that are not there, one in nine has the bit of another.
type keyFilter struct {
	shift uint
	bits  []uint64
}

// bitsAKey is how many bits there are for a key, at least.
const bitsAKey = 8

func newKeyFilter(entries []uint64) keyFilter {
	size := uint(max(bits.Len(uint(bitsAKey*len(entries))), 6))
	f := keyFilter{shift: 64 - size, bits: make([]uint64, 1<<size/64)}
	for _, e := range entries {
		at := e >> f.shift
		f.bits[at/64] |= 1 << (at % 64)
	}
	return f
}

func (f *keyFilter) mayHave(key uint64) bool {
	if f.bits == nil {
		return false
	}
	at := key >> f.shift
	return f.bits[at/64]&(1<<(at%64)) != 0
}

// A hashSet is a set of hashes: most are in a sorted list, new ones in a map.
type hashSet struct {
	sorted []uint64
	starts starts
	recent map[uint64]struct{}
}

// newHashSet returns the set of hashes in any order. It keeps the slice.
func newHashSet(hashes []uint64) hashSet {
	slices.Sort(hashes)
	s := hashSet{sorted: slices.Compact(hashes), recent: make(map[uint64]struct{})}
	s.starts = newStarts(len(s.sorted), func(i int) uint64 { return s.sorted[i] })
	return s
}

func (s *hashSet) size() int { return len(s.sorted) + len(s.recent) }

func (s *hashSet) has(hash uint64) bool {
	if _, ok := s.recent[hash]; ok {
		return true
	}
	low, high := s.starts.around(hash)
	return slices.Contains(s.sorted[low:high], hash)
}

func (s *hashSet) add(hash uint64) {
	if s.has(hash) {
		return
	}
	s.recent[hash] = struct{}{}
	if len(s.recent) <= maxRecent+len(s.sorted)/8 {
		return
	}
	for hash := range s.recent {
		s.sorted = append(s.sorted, hash)
	}
	*s = newHashSet(s.sorted)
}

// starts says where hashes with the same first bits begin in a sorted list. Hashes are spread evenly, so
// that a few have the same.
type starts struct {
	shift uint
	at    []uint32
}

// hashesAStart is about how many hashes have the same first bits.
const hashesAStart = 4

func newStarts(n int, hash func(i int) uint64) starts {
	size := uint(bits.Len(uint(n / hashesAStart)))
	s := starts{shift: 64 - size, at: make([]uint32, 1<<size+1)}
	for i := range n {
		s.at[hash(i)>>s.shift+1]++
	}
	for i := range len(s.at) - 1 {
		s.at[i+1] += s.at[i]
	}
	return s
}

// around returns the bounds of the hashes with the first bits of one.
func (s *starts) around(hash uint64) (low, high uint32) {
	if s.at == nil {
		return 0, 0
	}
	first := hash >> s.shift
	return s.at[first], s.at[first+1]
}
