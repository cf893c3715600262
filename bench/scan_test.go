package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestArchives: the Maildirs hold messages of both kinds, the same each time.
func TestArchives(t *testing.T) {
	styles := filepath.Join("..", "filter", "testdata", "html_styles")
	var made [2][]archive
	for i := range made {
		var err error
		if made[i], err = makeArchives(t.TempDir(), styles, 100); err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range made[0] {
		if again := made[1][i]; a.bytes != again.bytes || len(a.files) != len(again.files) || len(a.files) != []int{100, 10}[i] {
			t.Errorf("%s: %d files of %d bytes, then %d of %d", a.name, len(a.files), a.bytes, len(again.files), again.bytes)
		}
	}
}

// TestReader: a process is measured, and its failure seen.
func TestReader(t *testing.T) {
	if s, err := (&reader{command: []string{"cat", os.DevNull}}).run(); err != nil || s.wall <= 0 || s.memory <= 0 {
		t.Errorf("%+v, %v", s, err)
	}
	begin, sleep := time.Now(), []string{"sleep", "0.2"}
	if s, err := (&reader{command: []string{"true"}, beside: sleep}).run(); err != nil || s.wall < 200*time.Millisecond || s.wall > time.Since(begin) {
		t.Errorf("beside: %+v, %v", s, err)
	}
	missing := []string{"cat", filepath.Join(t.TempDir(), "none")}
	for _, r := range []reader{{command: missing}, {command: []string{"true"}, beside: missing}, {command: missing, beside: []string{"true"}}} {
		if _, err := r.run(); err == nil {
			t.Errorf("%q, %q: no error for a missing file", r.command, r.beside)
		}
	}
}
