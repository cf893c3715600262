package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// input is one message, and where it came from.
type input struct {
	name string // path; for a message of an mbox followed by ":" and its number
	raw  []byte
}

const standardInput = "-"

var errNoName = errors.New(`path "": empty (want a file, a folder, or - for standard input)`)

// withFile calls read with the content of a file, or with stdin for "-", and
// names the file in the error.
func withFile(name string, stdin io.Reader, read func(io.Reader) error) error {
	if name == standardInput {
		if err := read(stdin); err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		return nil
	}
	if name == "" {
		return errNoName
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := read(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// orStandardInput makes no paths mean standard input. An empty one does not: it is mostly a
// variable of a shell that is not set.
func orStandardInput(paths []string) []string {
	if len(paths) == 0 {
		return []string{standardInput}
	}
	return paths
}

// fileName is what messages call the input in their "file" field and tables.
func fileName(name string) string {
	if name == standardInput {
		return name
	}
	return strings.TrimPrefix(name, "./")
}
