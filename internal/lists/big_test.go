package lists

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/long"
)

// residentKB returns the memory of this process that is in RAM, and the part that the system maps
// from files.
func residentKB(t *testing.T) (all, files int) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		n, _ := strconv.Atoi(words[1])
		switch words[0] {
		case "VmRSS:":
			all = n
		case "RssFile:":
			files = n
		}
	}
	return all, files
}

// TestTenMillion: a list of 10 million hosts takes at most 300 MB, is open within 3 seconds, and is
// built in limited memory.
func TestTenMillion(t *testing.T) {
	long.Only(t)
	const n = 10_000_000
	folder := t.TempDir()
	path := filepath.Join(folder, "hosts")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(file)
	for i := range n {
		fmt.Fprintf(w, "host%d.example%d.com\n", i, i%1000)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	source := Source{Name: "feed", File: path, Means: Block}
	set := New(Options{Folder: folder})
	set.Use([]Source{source})
	begin := time.Now()
	if err := set.Update(t.Context(), nil, false, false, func(State, error) {}); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	all, files := residentKB(t)
	t.Logf("built in %s; %d MB in memory after that, %d MB of files", time.Since(begin).Round(time.Millisecond), all>>10, files>>10)
	again := New(Options{Folder: folder})
	begin = time.Now()
	again.Use([]Source{source})
	opened := time.Since(begin)
	for i := range n / 10 {
		if i%2 == 0 && !has(t, again, fmt.Sprintf("https://host%d.example%d.com/x", i*10, i*10%1000)) {
			t.Fatal(i)
		}
	}
	runtime.GC()
	all, files = residentKB(t)
	// Not every system counts the pages of a mapped file.
	most := all>>10 - files>>10 + n*recordSize>>20
	t.Logf("opened in %s; %d MB in memory, with all pages of the index", opened.Round(time.Millisecond), most)
	if opened > 3*time.Second || most > 300 {
		t.Errorf("opened in %s, %d MB", opened, most)
	}
	begin = time.Now()
	link := parse(t, "https://www.example.org/a/page?with=a&query")
	for range 1_000_000 {
		set.Find(link)
	}
	t.Logf("a link that is not listed: %s", time.Since(begin)/1_000_000)
}
