package main

import (
	"os"
	"path/filepath"
)

// inputFolder and configFolder are in the working folder.
const (
	inputFolder  = "inputs"
	configFolder = "configs"
)

// writer writes inputs until the first error.
type writer struct {
	folder string
	err    error
}

func (w *writer) file(name string, content []byte) item {
	return w.write(filepath.Join(inputFolder, name), content)
}

func (w *writer) write(name string, content []byte) item {
	path := filepath.Join(w.folder, name)
	if w.err == nil {
		w.err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if w.err == nil {
		w.err = os.WriteFile(path, content, 0o600)
	}
	return item{name: name}
}
