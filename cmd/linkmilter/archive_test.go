package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// resultsOf returns the contents of an archive: for each message its name and text, for each error
// its text.
func resultsOf(t *testing.T, stdin io.Reader, limit int, paths ...string) (results []string) {
	t.Helper()
	work := func(in input) string { return fmt.Sprintf("%s %q", filepath.Base(in.name), in.raw) }
	for result, err := range newArchive(paths, stdin, limit, work).results(t.Context()) {
		if err != nil {
			result = "error: " + err.Error()
		}
		results = append(results, result)
	}
	return results
}

// writeBelow writes a file below a folder of the test.
func writeBelow(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// An archive has the messages of files, mboxes and standard input in their order, none
// longer than the limit, without byte order marks.
func TestArchive(t *testing.T) {
	folder := t.TempDir()
	long := strings.Repeat("x", firstRead+10)
	writeBelow(t, folder, "1", "\ufeffone")
	writeBelow(t, folder, "2", "From a@example.com\n\ntwo\n\nFrom b@example.com\n\n"+long)
	writeBelow(t, folder, "3", "From: three")
	writeBelow(t, folder, "4", long)
	writeBelow(t, folder, "5", "")
	writeBelow(t, folder, "6/inner", "\ufeff"+long[:firstRead])
	got := resultsOf(t, strings.NewReader("stdin"), firstRead+5, folder, filepath.Join(folder, "none"), "-")
	want := []string{
		`1 "one"`, `2:1 "\r\ntwo\r\n"`, fmt.Sprintf("2:2 %q", "\r\n"+long[:firstRead+3]), `3 "From: three"`,
		fmt.Sprintf("4 %q", long[:firstRead+5]), fmt.Sprintf("inner %q", long[:firstRead]),
		"error: open " + filepath.Join(folder, "none") + ": no such file or directory", `- "stdin"`,
	}
	if !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("result %d of %d is not %d of %d", i, len(got), i, len(want))
			}
		}
	}
}

// TestArchiveOfManyFiles: a folder may have more files than are listed, or handed over, at once.
// They come in order, with the messages of an mbox and an error in their places.
func TestArchiveOfManyFiles(t *testing.T) {
	folder := t.TempDir()
	var want []string
	for i := range 2*entriesAtOnce + 3 {
		name := fmt.Sprintf("%04d", i)
		switch i {
		case entriesAtOnce:
			writeBelow(t, folder, name, "From a@example.com\n\none\n\nFrom b@example.com\n\ntwo")
			want = append(want, name+`:1 "\r\none\r\n"`, name+`:2 "\r\ntwo\r\n"`)
		case entriesAtOnce + 2:
			path := filepath.Join(folder, name)
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			writeBelow(t, folder, name+"/inner", "in a folder")
			want = append(want, `inner "in a folder"`)
		default:
			writeBelow(t, folder, name, name)
			want = append(want, fmt.Sprintf("%s %q", name, name))
		}
	}
	missing := filepath.Join(folder, "none")
	want = append(want, "error: open "+missing+": no such file or directory", `0001 "0001"`)
	if got := resultsOf(t, nil, firstRead, folder, missing, filepath.Join(folder, "0001")); !slices.Equal(got, want) {
		t.Errorf("got %d results, want %d: %q", len(got), len(want), got)
	}
}

// TestArchiveIsBounded: if messages together are larger than the bound, one is worked on at a time.
func TestArchiveIsBounded(t *testing.T) {
	folder := t.TempDir()
	for i := range 6 {
		writeBelow(t, folder, fmt.Sprint(i), strings.Repeat("x", maxInWork*2/3))
	}
	var working, most atomic.Int32
	work := func(in input) int {
		most.Store(max(most.Load(), working.Add(1)))
		time.Sleep(time.Millisecond)
		working.Add(-1)
		return len(in.raw)
	}
	for size, err := range newArchive([]string{folder}, nil, maxInWork, work).results(t.Context()) {
		if err != nil || size != maxInWork*2/3 {
			t.Errorf("%d bytes, %v", size, err)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d large messages at once, want 1", most.Load())
	}
}

// numbered yields n numbers; in place of each seventh it yields an error.
func numbered(n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			var err error
			if i%7 == 6 {
				err = fmt.Errorf("item %d", i)
			}
			if !yield(i, err) {
				return
			}
		}
	}
}

// The results and the errors come in the order of the items, on any number of
// processors.
func TestInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(processors)
		var want, got []string
		for i, err := range numbered(1000) {
			if err != nil {
				i = 0
			}
			want = append(want, fmt.Sprint(2*i, err))
		}
		for result, err := range inOrder(t.Context(), numbered(1000), func(i int) int {
			if i%10 == 0 {
				runtime.Gosched()
			}
			return 2 * i
		}) {
			got = append(got, fmt.Sprint(result, err))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d processors: got %d results, want %d in order", processors, len(got), len(want))
		}
	}
}

// TestInOrderEnds: when the context ends, the results end, even if an item is still being made or
// worked on. When the caller stops, no more items are made.
func TestInOrderEnds(t *testing.T) {
	one := func(yield func(string, error) bool) { yield("first", nil) }
	blocked := func(yield func(string, error) bool) {
		if yield("first", nil) {
			<-t.Context().Done() // as a terminal without input
		}
	}
	oneOfTwo := func(yield func(string, error) bool) { _ = yield("first", nil) && yield("blocked", nil) }
	work := func(name string) string {
		if name == "blocked" {
			<-t.Context().Done() // as a file on a server that does not answer
		}
		return name
	}
	for name, items := range map[string]iter.Seq2[string, error]{"one": one, "blocked": blocked, "one of two": oneOfTwo} {
		ctx, cancel := context.WithCancel(t.Context())
		var got []string
		for name := range inOrder(ctx, items, work) {
			got = append(got, name)
			cancel()
		}
		if cancel(); !slices.Equal(got, []string{"first"}) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	for range inOrder(t.Context(), numbered(1000), func(i int) int { return i }) {
		break
	}
}
