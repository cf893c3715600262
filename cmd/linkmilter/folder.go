package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// An entry is a file or a folder in a folder.
type entry struct {
	name string
	kind fs.FileMode // only the type
}

// readFolder returns the entries of a folder in lexical order, and beside an error those
// that could be read.
func readFolder(name string) (entries []entry, err error) {
	folder, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	for err == nil {
		var read []fs.DirEntry
		read, err = folder.ReadDir(entriesAtOnce)
		entries = appendEntries(entries, read)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return entries, err
}

// entriesAtOnce is the number of entries of a folder that are read at once.
const entriesAtOnce = 256

// appendEntries appends entries as few objects: garbage collection would look at the
// thousands of a large folder again and again while its files are read.
func appendEntries(entries []entry, read []fs.DirEntry) []entry {
	var names strings.Builder
	for _, e := range read {
		names.WriteString(e.Name())
	}
	rest := names.String()
	for _, e := range read {
		n := len(e.Name())
		entries = append(entries, entry{rest[:n], e.Type()})
		rest = rest[n:]
	}
	return entries
}
