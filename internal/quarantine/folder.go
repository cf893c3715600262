package quarantine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Folder is a Maildir with messages in quarantine. Other programs write there, too, and root may
// run the commands, so these open only regular files and follow no links.
type Folder struct {
	path string // for errors
	root *os.Root
}

// Open returns the quarantine in a Maildir.
func Open(path string) (*Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("quarantine %q: %w", path, err)
	}
	f := &Folder{path, root}
	if _, err := f.entries("new"); err != nil {
		root.Close()
		return nil, fmt.Errorf("quarantine %q: %w", path, err)
	}
	return f, nil
}

// Close closes the quarantine.
func (f *Folder) Close() error { return f.root.Close() }

// folders are the folders of a Maildir that have messages. Mail programs move messages that they
// have seen to the second one.
var folders = []string{"new", "cur"}

// entries returns the entries of one of folders.
func (f *Folder) entries(folder string) ([]fs.DirEntry, error) {
	info, err := f.root.Lstat(folder)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("path %q: not a folder (want a Maildir)", filepath.Join(f.path, folder))
	}
	d, err := f.root.Open(folder)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.ReadDir(-1)
}

// open opens a file of the quarantine. A link may show another file of this machine, and a
// named pipe waits for its writer.
func (f *Folder) open(name string) (*os.File, fs.FileInfo, error) {
	notRegular := fmt.Errorf("path %q: not a regular file (want a message as linkmilter wrote it)", filepath.Join(f.path, name))
	named, err := f.root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !named.Mode().IsRegular() {
		return nil, nil, notRegular
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(named, opened) {
		err = notRegular // the name became that of another file in the meantime
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, opened, nil
}

// read returns the content of a file of the quarantine.
func (f *Folder) read(name string) ([]byte, error) {
	file, _, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// List returns the messages, the oldest first.
func (f *Folder) List() ([]Message, error) {
	var list []Message
	for _, folder := range folders {
		entries, err := f.entries(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() {
				continue
			}
			m, err := f.describe(filepath.Join(folder, entry.Name()))
			if errors.Is(err, fs.ErrNotExist) {
				continue // it was released in the meantime
			}
			if err != nil {
				return nil, err
			}
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b Message) int {
		if c := a.Time.Compare(b.Time); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list, nil
}

// Get returns what describes a message.
func (f *Folder) Get(name string) (Message, error) {
	path, err := f.find(name)
	if err != nil {
		return Message{}, err
	}
	return f.describe(path)
}

// describe reads the header of a message.
func (f *Folder) describe(path string) (Message, error) {
	file, info, err := f.open(path)
	if err != nil {
		return Message{}, err
	}
	defer file.Close()
	m := Message{Name: withoutFlags(filepath.Base(path)), Time: info.ModTime(), Size: info.Size()}
	header, err := readHeader(file)
	if err == nil {
		m.fill(header)
	}
	return m, err
}

// withoutFlags removes what mail programs append to the name of a file.
func withoutFlags(name string) string {
	name, _, _ = strings.Cut(name, ":2,")
	return name
}

// find returns the path of a message in the quarantine.
func (f *Folder) find(name string) (string, error) {
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("message %q: not a name (linkmilter quarantine list has them)", name)
	}
	for _, folder := range folders {
		entries, err := f.entries(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		for _, entry := range entries {
			if withoutFlags(entry.Name()) == name && !entry.IsDir() {
				return filepath.Join(folder, entry.Name()), nil
			}
		}
	}
	return "", fmt.Errorf("message %q: not in quarantine", name)
}

// Read returns a message as it goes on when it is released: without the field that the
// quarantine wrote.
func (f *Folder) Read(name string) ([]byte, error) {
	path, err := f.find(name)
	if err != nil {
		return nil, err
	}
	content, err := f.read(path)
	if err != nil {
		return nil, err
	}
	return withoutMark(content), nil
}

// withoutMark returns a message without the field on its top.
func withoutMark(message []byte) []byte {
	if !bytes.HasPrefix(message, []byte(fieldQuarantined+":")) {
		return message
	}
	for rest := message; ; {
		_, after, found := bytes.Cut(rest, []byte("\n"))
		if !found || len(after) == 0 || after[0] != ' ' && after[0] != '\t' {
			return after
		}
		rest = after
	}
}

// envelopeName returns the name of the file with the envelope of a message.
func envelopeName(message string) string { return message + ".envelope" }

// Delete removes a message and its envelope. If the file is a link, it removes the link.
func (f *Folder) Delete(name string) error {
	path, err := f.find(name)
	if err != nil {
		return err
	}
	if err := f.root.Remove(path); err != nil {
		return err
	}
	if err := f.root.Remove(envelopeName(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
