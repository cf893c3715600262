package tlds

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fileName is the name of the cache file in the default folder: the one at IANA.
const fileName = "tlds-alpha-by-domain.txt"

// DefaultFile returns the default path of the cache file. It is in the first folder
// of $CACHE_DIRECTORY, which systemd sets for a service with CacheDirectory=, or else
// in the folder linkmilter of the user's cache folder.
func DefaultFile() (string, error) {
	if folder, _, _ := strings.Cut(os.Getenv("CACHE_DIRECTORY"), ":"); folder != "" {
		return filepath.Join(folder, fileName), nil
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the cache file: %w", err)
	}
	return filepath.Join(folder, "linkmilter", fileName), nil
}

// A cache is the list on disk, byte for byte as fetched, and a file of notes for
// requesting a newer one.
type cache struct{ path string }

// notes are the file of notes, in JSON.
type notes struct {
	URL          string    `json:"url"`
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"last_modified,omitempty"`
	Checked      time.Time `json:"checked"`
	// SHA256 is the hash of the list. The two files are replaced one after the
	// other; notes about another list do not count.
	SHA256 string `json:"sha256"`
}

func (c cache) notesPath() string { return c.path + ".json" }

// load reads the list and its notes. If the notes are missing or belong to another
// list, they contain only the time.
func (c cache) load(now time.Time) (*List, notes, error) {
	file, err := os.Open(c.path)
	if err != nil {
		return nil, notes{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, notes{}, err
	}
	text, err := readAll(file)
	if err != nil {
		return nil, notes{}, fmt.Errorf("%s: %w", c.path, err)
	}
	list, err := parse(text)
	if err == nil {
		err = check(list, now)
	}
	if err != nil {
		return nil, notes{}, fmt.Errorf("%s: %w", c.path, err)
	}
	list.Origin = OriginFile
	n := c.loadNotes()
	if n.SHA256 != checksum(text) {
		n = notes{Checked: info.ModTime()}
	}
	list.Checked = n.Checked
	return list, n, nil
}

// loadNotes returns empty notes if it cannot read them: then the next request is not
// conditional.
func (c cache) loadNotes() notes {
	var n notes
	if text, err := os.ReadFile(c.notesPath()); err != nil || json.Unmarshal(text, &n) != nil {
		return notes{}
	}
	return n
}

// save replaces the list and the notes.
func (c cache) save(l *List, n notes) error {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o755); err != nil {
		return err
	}
	if err := replace(c.path, l.text); err != nil {
		return err
	}
	return c.saveNotes(l, n)
}

// saveNotes replaces the notes about the list on disk.
func (c cache) saveNotes(l *List, n notes) error {
	n.SHA256 = checksum(l.text)
	text, err := json.MarshalIndent(n, "", "\t")
	if err != nil {
		return err
	}
	return replace(c.notesPath(), append(text, '\n'))
}

// replace replaces a file atomically: a reader finds either the old content or the
// new one, also after a power cut.
func replace(path string, content []byte) (err error) {
	folder := filepath.Dir(path)
	temp, err := os.CreateTemp(folder, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if _, err := temp.Write(content); err != nil {
		return err
	}
	if err := temp.Chmod(0o644); err != nil {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes a rename survive a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
