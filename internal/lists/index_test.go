package lists

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// build returns the index of texts, each a line, in a folder.
func build(t testing.TB, folder string, n int, text func(i int) string, before *index, today day) (*index, differences) {
	t.Helper()
	b := &builder{folder: folder}
	defer b.close()
	for i := range n {
		if err := b.add(record{key: newKey(kindHost, []byte(text(i))), line: uint32(i + 1)}); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, fmt.Sprintf("%d.index", today))
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d, sum, err := b.write(t.Context(), file, before, today)
	if err != nil {
		t.Fatal(err)
	}
	x, err := openIndex(path, sum)
	if err != nil {
		t.Fatal(err)
	}
	return x, d
}

func nameOf(i int) string { return fmt.Sprintf("host%d.example.com", i) }

// TestIndexFind: an index of any size has all lines, and no others.
func TestIndexFind(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, 9, 10, 100, 1000, 100_000} {
		x, d := build(t, t.TempDir(), n, nameOf, &index{}, 1)
		if d.entries != n || d.added != n {
			t.Errorf("%d lines: %+v", n, d)
		}
		for i := range n + 1000 {
			r, ok := x.find(newKey(kindHost, []byte(nameOf(i))))
			if ok != (i < n) || ok && r.line != uint32(i+1) {
				t.Fatalf("%d lines: line %d: %+v, %t", n, i+1, r, ok)
			}
		}
	}
}

// TestIndexUneven: keys that are spread less evenly than hashes are found, too. Nobody can make
// such keys on purpose.
func TestIndexUneven(t *testing.T) {
	var text []byte
	keys := []key{0, 1, 2, 3, 5, 8, 1 << 20, 1<<20 + 1, 1 << 40, 1<<63 - 1, 1 << 63, ^key(0) - 1, ^key(0)}
	for i := range key(1000) {
		keys = append(keys[:len(keys)-2], 1<<63+1+i*i, ^key(0)-1, ^key(0))
	}
	for i, k := range keys {
		text = record{key: k, line: uint32(i)}.append(text)
	}
	path := filepath.Join(t.TempDir(), "index")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	x := mustMap(t, path)
	for i, k := range keys {
		if r, ok := x.find(k); !ok || r.line != uint32(i) {
			t.Errorf("key %d: %+v, %t", k, r, ok)
		}
	}
	if _, ok := x.find(4); ok {
		t.Error("a key that is not there")
	}
}

func mustMap(t *testing.T, path string) *index {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x, err := openIndex(path, xxhash.Sum64(text))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestIndexSpills: an index from records in temporary files is the same as from records in memory:
// each key once, with its first line.
func TestIndexSpills(t *testing.T) {
	folder := t.TempDir()
	var in, out bytes.Buffer
	for _, spill := range []int{0, 1000} {
		b := &builder{folder: folder}
		for i := range 10_000 {
			if err := b.add(record{key: newKey(kindHost, []byte(nameOf(i%7000))), line: uint32(i + 1)}); err != nil {
				t.Fatal(err)
			}
			if spill > 0 && i%spill == spill-1 {
				if err := b.spill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		to := &in
		if spill > 0 {
			to = &out
		}
		if d, _, err := b.write(t.Context(), to, &index{}, 1); err != nil || d.entries != 7000 || d.duplicates != 3000 {
			t.Errorf("%+v, %v", d, err)
		}
		b.close()
	}
	if !bytes.Equal(in.Bytes(), out.Bytes()) {
		t.Error("the indexes differ")
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".run-*")); len(left) > 0 {
		t.Errorf("files are left: %q", left)
	}
}

// TestIndexSince: a line keeps the day on which the list first had it.
func TestIndexSince(t *testing.T) {
	folder := t.TempDir()
	first, _ := build(t, folder, 5000, nameOf, &index{}, 100)
	second, d := build(t, folder, 5000, func(i int) string { return nameOf(i + 1000) }, first, 200)
	if d.added != 1000 || d.removed != 1000 || d.entries != 5000 {
		t.Errorf("%+v", d)
	}
	for i := 1000; i < 6000; i++ {
		want := day(100)
		if i >= 5000 {
			want = 200
		}
		if r, ok := second.find(newKey(kindHost, []byte(nameOf(i)))); !ok || r.since != want {
			t.Fatalf("%s: since %d, want %d", nameOf(i), r.since, want)
		}
	}
}

// TestIndexDamaged: an index that differs from the notes is not used.
func TestIndexDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	text := record{key: 1, line: 1}.append(nil)
	sum := xxhash.Sum64(text)
	for _, damaged := range [][]byte{text[:15], append(bytes.Clone(text), text...), append([]byte{9}, text[1:]...)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openIndex(path, sum); err == nil {
			t.Errorf("%x: no error", damaged)
		}
	}
}

// BenchmarkLookup looks up hosts in an index of 10 million entries, half of them not there, and in
// a Go map of as many.
func BenchmarkLookup(b *testing.B) {
	const n = 10_000_000
	x, _ := build(b, b.TempDir(), n, nameOf, &index{}, 1)
	m := make(map[key]uint32, n)
	for i := range n {
		m[newKey(kindHost, []byte(nameOf(i)))] = uint32(i)
	}
	random := rand.New(rand.NewPCG(1, 2))
	keys := make([]key, 1<<20)
	for i := range keys {
		keys[i] = newKey(kindHost, []byte(nameOf(random.IntN(2*n)))) // every second one is not in the index
	}
	b.Run("index", func(b *testing.B) {
		found := 0
		for i := 0; b.Loop(); i++ {
			if _, ok := x.find(keys[i%len(keys)]); ok {
				found++
			}
		}
	})
	b.Run("map", func(b *testing.B) {
		found := 0
		for i := 0; b.Loop(); i++ {
			if _, ok := m[keys[i%len(keys)]]; ok {
				found++
			}
		}
	})
}
