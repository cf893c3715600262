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
		for _, e := range read {
			entries = append(entries, entry{e.Name(), e.Type()})
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return entries, err
}

// entriesAtOnce is the number of entries of a folder that are read at once.
const entriesAtOnce = 256
