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
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// input is one message, and where it came from.
type input struct {
	name string // path, followed by ":" and a number for a message of an mbox
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

// orStandardInput returns "-", standard input, if there are no paths. An empty path is not that:
// mostly it comes from a shell variable that is not set.
func orStandardInput(paths []string) []string {
	if len(paths) == 0 {
		return []string{standardInput}
	}
	return paths
}

// fileName returns the name of the input for the field "file" and for tables.
func fileName(name string) string {
	if name == standardInput {
		return name
	}
	return strings.TrimPrefix(name, "./")
}

// withoutBOM returns r without a byte order mark at its start, and reports whether there was one.
// The error is an error of reading.
func withoutBOM(r io.Reader) (rest io.Reader, marked bool, err error) {
	start := make([]byte, len(stream.BOM))
	n, err := io.ReadFull(r, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, false, err
	}
	start, marked = stream.CutBOM(start[:n])
	return io.MultiReader(bytes.NewReader(start), r), marked, nil
}

// typedInput returns standard input. On a terminal the first read tells the user that
// the command waits for input.
func typedInput(cmd *cobra.Command) io.Reader {
	in := cmd.InOrStdin()
	if f, ok := in.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return in
	}
	return &typed{Reader: in, stderr: cmd.ErrOrStderr()}
}

// typed is standard input from a terminal.
type typed struct {
	io.Reader
	stderr io.Writer
	once   sync.Once
}

func (t *typed) Read(p []byte) (int, error) {
	t.once.Do(func() { fmt.Fprintln(t.stderr, "linkmilter: reading what you type; Ctrl-D ends it") })
	return t.Reader.Read(p)
}

// A file is a file to read. A file that is not regular, such as standard input or a pipe, can be
// opened only once and may block.
type file struct {
	name    string
	regular bool
	place   place
}

// A place says by the folder of a file what the file may be.
type place uint8

const (
	placeNamed  place = iota // a message: the user named the file, or it is in a Maildir
	placeFolder              // it is in a folder that may also have other files of mail programs
	placeAside               // not a message, whatever its content is
)

// files yields the files that the paths name, and the regular files in folders, in lexical order.
// In a Maildir it skips tmp, where messages are still being written. Only symbolic links that the
// user named are followed, so that each walk ends. An error names its path.
func files(paths []string) iter.Seq2[file, error] {
	return func(yield func(file, error) bool) {
		for f, err := range withAside(paths) {
			if (err != nil || f.place != placeAside) && !yield(f, err) {
				return
			}
		}
	}
}

// withAside also yields files whose place shows that they are not messages: files beside the
// folders of a Maildir, which belong to the mail server, and files in folders of mail programs.
func withAside(paths []string) iter.Seq2[file, error] {
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
		return yieldFolder(filepath.Clean(root), placeFolder, yield)
	}
	return yield(file{name: root, regular: info.Mode().IsRegular()}, nil)
}

// yieldFolder yields the files in a folder. of is their place.
func yieldFolder(folder string, of place, yield func(file, error) bool) bool {
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
	if maildir {
		of = placeAside
	}
	for _, entry := range entries {
		switch {
		case maildir && entry.name == "tmp":
		case entry.kind.IsDir():
			if !yieldFolder(before+entry.name, placeOf(entry.name, of, maildir), yield) {
				return false
			}
		case entry.kind.IsRegular():
			if !yield(file{before + entry.name, true, of}, nil) {
				return false
			}
		}
	}
	return true
}

// placeOf returns the place of the files in a folder called name. above is the place of the files
// in the folder around it.
func placeOf(name string, above place, inMaildir bool) place {
	switch {
	case slices.Contains(foldersAside, name):
		return placeAside
	case inMaildir && (name == "cur" || name == "new"):
		return placeNamed // there, files of any name and content are messages
	case inMaildir || above == placeNamed:
		return placeFolder
	}
	return above
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

// An entry is a file or a folder in a folder.
type entry struct {
	name string
	kind fs.FileMode // only the type
}

// readFolder returns the entries of a folder in lexical order, with an error, those that could be
// read.
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
