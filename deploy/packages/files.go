package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// A file is installed at a path, which begins with a slash.
type file struct {
	path   string
	source string // where its content is now
	mode   fs.FileMode
}

// installed lists the files below a folder in the order of their paths.
func installed(tree string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		files = append(files, file{path: path[len(tree):], source: path, mode: info.Mode().Perm()})
		return nil
	})
	return files, err
}
