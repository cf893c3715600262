package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRunWithoutPeers: without the tools of the peers their rows say what is missing.
func TestRunWithoutPeers(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	texts, err := readCorpora("", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(&out, time.Millisecond, texts, sources{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| linkmilter, with suspects | ", "| linkify (Rust) | missing: cargo: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table has no %q:\n%s", want, &out)
		}
	}
}

// TestRunPeer: a peer is a program that prints its time and its links.
func TestRunPeer(t *testing.T) {
	took, links, err := runPeer([]string{"echo", "1000", "7"}, "file")
	if err != nil || took != time.Microsecond || links != 7 {
		t.Errorf("%v, %d links, %v", took, links, err)
	}
	if _, _, err := runPeer([]string{filepath.Join(t.TempDir(), "none")}, "file"); err == nil {
		t.Error("no error for a peer that is not there")
	}
}

// TestReadCorpora: messages that were written to files are read from there.
func TestReadCorpora(t *testing.T) {
	folder := t.TempDir()
	for _, c := range corpora {
		if err := os.WriteFile(filepath.Join(folder, c.name+".txt"), []byte("one"+messageEnd+"two"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := readCorpora(folder, 0)
	if err != nil || len(texts) != len(corpora) || len(texts[0].messages) != 2 {
		t.Errorf("%v, %v", texts, err)
	}
}
