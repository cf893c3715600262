package main

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// A file is a file to read. One that is not regular, such as standard input or a pipe,
// can be opened only once and may block.
type file struct {
	name    string
	regular bool
}

// files yields the files that the paths name, and the regular files in folders, in lexical order.
// In a Maildir it skips tmp, where messages are still being written, and the files beside the
// folders, which belong to the mail server. Only symbolic links that the user named are followed,
// so that each walk ends. An error names its path.
func files(paths []string) iter.Seq2[file, error] {
	return func(yield func(file, error) bool) {
		for _, root := range paths {
			if !yieldPath(root, yield) {
				return
			}
		}
	}
}

// yieldPath yields a path, or the files in it if it is a folder.
func yieldPath(root string, yield func(file, error) bool) bool {
	if root == standardInput {
		return yield(file{name: root}, nil)
	}
	if root == "" {
		return yield(file{}, errNoName)
	}
	info, err := os.Stat(root)
	switch {
	case err != nil:
		return yield(file{name: root}, &os.PathError{Op: "open", Path: root, Err: errors.Unwrap(err)})
	case info.IsDir():
		return yieldFolder(filepath.Clean(root), yield)
	}
	return yield(file{root, info.Mode().IsRegular()}, nil)
}

// yieldFolder yields the files in a folder.
func yieldFolder(folder string, yield func(file, error) bool) bool {
	entries, err := readFolder(folder)
	if err != nil && !yield(file{name: folder}, err) {
		return false
	}
	before := folder + string(filepath.Separator)
	switch folder {
	case ".":
		before = ""
	case string(filepath.Separator):
		before = folder
	}
	maildir := isMaildir(entries)
	for _, entry := range entries {
		switch {
		case entry.kind.IsDir():
			if !(maildir && entry.name == "tmp") && !yieldFolder(before+entry.name, yield) {
				return false
			}
		case entry.kind.IsRegular() && !maildir:
			if !yield(file{before + entry.name, true}, nil) {
				return false
			}
		}
	}
	return true
}

// isMaildir reports whether a folder with the entries is a Maildir.
func isMaildir(entries []entry) bool {
	folders := 0
	for _, entry := range entries {
		if entry.kind.IsDir() && slices.Contains([]string{"cur", "new", "tmp"}, entry.name) {
			folders++
		}
	}
	return folders == 3
}
