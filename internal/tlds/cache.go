package tlds

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/linkmilter/linkmilter/internal/fetch"
)

// fileName is the name of the cache file in the default folder: the one at IANA.
const fileName = "tlds-alpha-by-domain.txt"

// DefaultFile returns the default path of the cache file, in the folder of [fetch.Folder].
func DefaultFile() (string, error) {
	folder, err := fetch.Folder()
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, fileName), nil
}

// A cache is the list on disk, byte for byte as fetched, and a file of notes for
// requesting a newer one.
type cache struct{ path string }

// notes is the content of the JSON file beside the list.
type notes struct {
	URL string `json:"url"`
	fetch.Validators
	Checked time.Time `json:"checked"`
	// SHA256 is the hash of the list. It tells whether the notes belong to this list, because the
	// two files are replaced one after the other.
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
	if err := fetch.Replace(c.path, fetch.Write(l.text)); err != nil {
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
	return fetch.Replace(c.notesPath(), fetch.Write(append(text, '\n')))
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
