package contentfilter

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// maildir is a folder in the Maildir format: a message is written to tmp, synced to disk, and then
// moved to new under a unique name. Its envelope is in a file with that name and envelopeSuffix.
// That file is beside these folders, where programs that read Maildirs do not look for messages.
type maildir struct {
	path, host string
	count      atomic.Uint64
	create     func(path string) (maildirFile, error) // os.OpenFile; tests replace it
}

// envelopeSuffix is the end of the file name of an envelope.
const envelopeSuffix = ".envelope"

// maildirFile is a file to which a message is written.
type maildirFile interface {
	io.WriteCloser
	Sync() error
}

// openMaildir creates the folder if it does not exist, and checks that it is writable.
func openMaildir(path, host string) (*maildir, error) {
	for _, sub := range []string{"tmp", "new", "cur"} {
		if err := os.MkdirAll(filepath.Join(path, sub), 0o700); err != nil {
			return nil, err
		}
	}
	probe, err := os.CreateTemp(filepath.Join(path, "tmp"), "probe")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return nil, err
	}
	return &maildir{path: path, host: maildirHost(host), create: createExclusive}, nil
}

func createExclusive(path string) (maildirFile, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// maildirHost writes a host's name as the format wants it in file names.
func maildirHost(host string) string {
	return strings.NewReplacer("/", `\057`, ":", `\072`).Replace(host)
}

// maildirMessage is a message that is being delivered.
type maildirMessage struct {
	dir      *maildir
	name     string
	envelope string // content of its file
	file     maildirFile
	err      error // the first error of writing
}

// begin begins a message with the text of its envelope.
func (m *maildir) begin(envelope string) (*maildirMessage, error) {
	now := time.Now()
	name := fmt.Sprintf("%d.M%dP%dQ%d.%s", now.Unix(), now.Nanosecond()/1000, os.Getpid(), m.count.Add(1), m.host)
	file, err := m.create(filepath.Join(m.path, "tmp", name))
	if err != nil {
		return nil, err
	}
	return &maildirMessage{dir: m, name: name, envelope: envelope, file: file}, nil
}

// write adds to the message. deliver returns the first error.
func (w *maildirMessage) write(p []byte) (int, error) {
	if w.err != nil {
		return len(p), nil
	}
	_, w.err = w.file.Write(p)
	return len(p), nil
}

// deliver moves the message into the folder new. After an error it leaves no file. The
// envelope is on disk before the message.
func (w *maildirMessage) deliver() error {
	err := w.err
	if err == nil {
		err = w.file.Sync()
	}
	if closed := w.file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = w.writeEnvelope()
	}
	from, to := w.path("tmp"), w.path("new")
	if err == nil {
		err = os.Rename(from, to)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(to))
	}
	if err != nil {
		for _, path := range []string{from, to, w.path("") + envelopeSuffix} {
			_ = os.Remove(path)
		}
	}
	return err
}

// path returns the path of the message in a folder of the Maildir.
func (w *maildirMessage) path(folder string) string { return filepath.Join(w.dir.path, folder, w.name) }

// writeEnvelope writes the envelope and syncs it to disk.
func (w *maildirMessage) writeEnvelope() error {
	path := w.path("") + envelopeSuffix
	file, err := w.dir.create(path)
	if err != nil {
		return err
	}
	if _, err = io.WriteString(file, w.envelope); err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return syncFolder(w.dir.path)
}

// drop removes the files of the message.
func (w *maildirMessage) drop() {
	_ = w.file.Close()
	_ = os.Remove(w.path("tmp"))
}

// syncFolder syncs the names in a folder to disk.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
