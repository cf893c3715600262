package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/emersion/go-mbox"

	"github.com/linkmilter/linkmilter/internal/bom"
)

// input is one message, and where it came from.
type input struct {
	name string // path; for a message of an mbox followed by ":" and its number
	raw  []byte
}

// inputSeq yields inputs; with an error, the name of what could not be read.
type inputSeq = iter.Seq2[input, error]

const standardInput = "-"

// messages yields every message of the paths: a message file, an mbox, a
// Maildir, or a folder of any of these; "-" is standard input. An error stands
// for one input that could not be read; the ones after it are still yielded.
func messages(paths []string, stdin io.Reader) inputSeq {
	return func(yield func(input, error) bool) {
		for name, err := range files(paths) {
			if err != nil {
				if !yield(input{name: name}, err) {
					return
				}
				continue
			}
			for message, err := range fileMessages(name, stdin) {
				if !yield(message, err) {
					return
				}
			}
		}
	}
}

// files yields the regular files that the paths name or hold, in lexical
// order. Of a Maildir it leaves out tmp, where messages are still being written,
// and the files beside its folders, which belong to the mail server.
func files(paths []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, root := range paths {
			if root == standardInput {
				if !yield(root, nil) {
					return
				}
				continue
			}
			err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
				switch {
				case err != nil:
				case path == root && entry.Type()&fs.ModeSymlink != 0:
					// Only symbolic links that the user named are followed, so that each walk ends.
				case entry.IsDir():
					if entry.Name() == "tmp" && isMaildir(filepath.Dir(path)) {
						return fs.SkipDir
					}
					return nil
				case !entry.Type().IsRegular(), path != root && isMaildir(filepath.Dir(path)):
					return nil
				}
				if !yield(path, err) {
					return fs.SkipAll
				}
				return nil
			})
			if err != nil && !yield(root, err) {
				return
			}
		}
	}
}

func isMaildir(folder string) bool {
	return !slices.ContainsFunc([]string{"cur", "new", "tmp"}, func(name string) bool {
		info, err := os.Stat(filepath.Join(folder, name))
		return err != nil || !info.IsDir()
	})
}

// withFile calls read with the content of a file, or with stdin for "-", and
// names the file in the error.
func withFile(name string, stdin io.Reader, read func(io.Reader) error) error {
	if name == standardInput {
		if err := read(stdin); err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		return nil
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

// mboxStart is what an mbox begins with.
const mboxStart = "From "

// fileMessages yields the messages of one file. An mbox, told by its first
// line, may be larger than memory and is read a message at a time.
func fileMessages(name string, stdin io.Reader) inputSeq {
	return func(yield func(input, error) bool) {
		err := withFile(name, stdin, func(r io.Reader) error {
			begin, err := beginning(r)
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			read := begin             // in the memory for all of the file
			begin, _ = bom.Cut(begin) // before it the header would not be one
			if bytes.HasPrefix(begin, []byte(mboxStart)) && !bytes.HasPrefix(begin, []byte(mboxStart+":")) {
				return mboxMessages(name, io.MultiReader(bytes.NewReader(begin), r), yield)
			}
			for err == nil {
				read, err = readMore(r, read)
			}
			if !errors.Is(err, io.EOF) {
				return err
			}
			raw, _ := bom.Cut(read)
			yield(input{name, raw}, nil)
			return nil
		})
		if err != nil {
			yield(input{name: name}, err)
		}
	}
}

// beginning reads the first bytes of a file, at least those that tell an mbox, into
// memory that has room for all of a message. The error is io.EOF at the end.
func beginning(r io.Reader) (read []byte, err error) {
	size := 4 << 10
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			size = int(min(info.Size(), maxFirstRead)) + 1 // one more finds the end
		}
	}
	read = make([]byte, 0, size)
	for err == nil && len(read) < len(bom.UTF8+mboxStart)+len(":") {
		read, err = readMore(r, read)
	}
	return read, err
}

// maxFirstRead bounds the memory that is taken before the kind of a file is known.
const maxFirstRead = 1 << 20

// readMore appends what one read returns.
func readMore(r io.Reader, read []byte) ([]byte, error) {
	if len(read) == cap(read) {
		read = slices.Grow(read, max(len(read), 512))
	}
	n, err := r.Read(read[len(read):cap(read)])
	return read[:len(read)+n], err
}

func mboxMessages(name string, r io.Reader, yield func(input, error) bool) error {
	box := mbox.NewReader(r)
	for number := 1; ; number++ {
		message, err := box.NextMessage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var raw []byte
		if err == nil {
			raw, err = io.ReadAll(message)
		}
		if err != nil {
			return fmt.Errorf("message %d: %w", number, err)
		}
		if !yield(input{fmt.Sprintf("%s:%d", name, number), raw}, nil) {
			return nil
		}
	}
}

// orStandardInput makes no paths mean standard input.
func orStandardInput(paths []string) []string {
	if len(paths) == 0 || slices.Equal(paths, []string{""}) {
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
