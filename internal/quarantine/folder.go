package quarantine

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Folder is a Maildir with messages in quarantine.
type Folder struct{ path string }

// Open returns the quarantine in a Maildir.
func Open(path string) (*Folder, error) {
	if _, err := os.Stat(filepath.Join(path, "new")); err != nil {
		return nil, fmt.Errorf("quarantine %q: %w", path, err)
	}
	return &Folder{path}, nil
}

// folders are those of a Maildir with messages: mail programs move what they have seen.
var folders = []string{"new", "cur"}

// List returns the messages, the oldest first.
func (f *Folder) List() ([]Message, error) {
	var list []Message
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(f.path, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() {
				continue
			}
			m, err := f.describe(filepath.Join(f.path, folder, entry.Name()))
			if errors.Is(err, fs.ErrNotExist) {
				continue // released meanwhile
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

// describe reads the header of a message.
func (f *Folder) describe(path string) (Message, error) {
	file, err := os.Open(path)
	if err != nil {
		return Message{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Message{}, err
	}
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

// find returns the path of a message.
func (f *Folder) find(name string) (string, error) {
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("message %q: not a name (linkmilter quarantine list has them)", name)
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(f.path, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		for _, entry := range entries {
			if withoutFlags(entry.Name()) == name {
				return filepath.Join(f.path, folder, entry.Name()), nil
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
	content, err := os.ReadFile(path)
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

// envelopePath returns the path of the envelope of a message.
func (f *Folder) envelopePath(name string) string { return filepath.Join(f.path, name+".envelope") }

// Delete removes a message and its envelope.
func (f *Folder) Delete(name string) error {
	path, err := f.find(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	if err := os.Remove(f.envelopePath(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
