package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A source is HTML that tests read.
type source struct {
	Name  string   `json:"sha"` // of the file, without ".html"
	Tests []string `json:"tests"`
	Bases []string `json:"bases"` // URLs that the header of a message gives
}

// recorder is a file of package htmlpart that writes the sources that tests read.
//
//go:embed record.go.txt
var recorder []byte

// readers are the packages whose tests read HTML within their process.
var readers = []string{
	"./filter", "./filter/htmlpart", "./filter/alternative", "./cmd/linkmilter", "./contentfilter", "./milter",
	"./internal/adminpage", "./internal/demo", "./internal/explain", "./internal/history", "./internal/httpapi",
	"./internal/mailserver", "./internal/metrics", "./internal/quarantine", "./internal/service",
}

// record runs tests, and writes each HTML source that they read to a folder, with an index of
// their tests. The go command puts a call into [htmlpart.Read] by an overlay, so that no file of the
// repository changes. Arguments are for `go test`, such as packages instead of all.
//
// It leaves out tests that measure time and memory, those with a browser, and sources over 256 KiB;
// and it stops at 10,000 sources of a test, or at 300 where they are random (see record.go.txt).
func record(dir string, arguments ...string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	reader, err := filepath.Abs("filter/htmlpart/read.go")
	if err != nil {
		return err
	}
	code, err := os.ReadFile(reader)
	if err != nil {
		return err
	}
	const first = "\n\treturn func(yield func(Item, error) bool) {"
	if !strings.Contains(string(code), first) {
		return fmt.Errorf("%s: Read does not begin as expected (want%s)", reader, first)
	}
	work, err := os.MkdirTemp("", "record")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		reader: filepath.Join(work, "read.go"),
		filepath.Join(filepath.Dir(reader), "record.go"): filepath.Join(work, "record.go"),
	}})
	if err != nil {
		return err
	}
	if err := errors.Join(
		os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(work, "read.go"), []byte(strings.Replace(string(code), first, "\n\trecord(source, bases)"+first, 1)), 0o600),
		os.WriteFile(filepath.Join(work, "record.go"), recorder, 0o600),
		os.WriteFile(filepath.Join(work, "overlay.json"), overlay, 0o600),
	); err != nil {
		return err
	}
	if len(arguments) == 0 {
		arguments = readers
	}
	cmd := exec.Command("go", slices.Concat([]string{"test", "-count", "1", "-p", "1", "-timeout", "1h", "-skip", "Chromium|Linear|Memory|Hostile", "-overlay", filepath.Join(work, "overlay.json")}, arguments)...)
	cmd.Env = append(os.Environ(), "LINKMILTER_HTML="+dir)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return errors.Join(cmd.Run(), mergeIndexes(dir))
}

// mergeIndexes makes one index of those that processes wrote, with one line for a source.
func mergeIndexes(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "index*.jsonl"))
	if err != nil {
		return err
	}
	var all []*source
	known := make(map[string]*source)
	for _, file := range files {
		sources, err := readIndex(file)
		if err != nil {
			return err
		}
		for i := range sources {
			s := &sources[i]
			before := known[s.Name]
			if before == nil {
				known[s.Name], all = s, append(all, s)
				continue
			}
			before.Tests = append(before.Tests, s.Tests...)
		}
	}
	index, err := os.Create(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		return err
	}
	lines := json.NewEncoder(index)
	for _, s := range all {
		slices.Sort(s.Tests)
		s.Tests = slices.Compact(s.Tests)
		if err := lines.Encode(s); err != nil {
			return errors.Join(err, index.Close())
		}
	}
	err = index.Close()
	for _, file := range files {
		if filepath.Base(file) != "index.jsonl" {
			err = errors.Join(err, os.Remove(file))
		}
	}
	return err
}

// readIndex reads the sources of an index.
func readIndex(path string) ([]source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var sources []source
	for lines := json.NewDecoder(bufio.NewReader(file)); ; {
		var s source
		if err := lines.Decode(&s); errors.Is(err, io.EOF) {
			return sources, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		sources = append(sources, s)
	}
}
