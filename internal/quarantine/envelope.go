package quarantine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// An Envelope is the envelope of a message in quarantine.
type Envelope struct {
	Sender     string // empty: the null sender
	Recipients []string
}

// readEnvelope reads the file of an envelope: a line from=<ADDRESS>, and then a line
// to=<ADDRESS> for each recipient.
func (f *Folder) readEnvelope(message string) (Envelope, error) {
	path := envelopeName(message)
	content, err := f.read(path)
	if err != nil {
		return Envelope{}, err
	}
	var e Envelope
	for i, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
		key, address, found := strings.Cut(strings.TrimSuffix(line, ">"), "=<")
		switch {
		case found && i == 0 && key == "from":
			e.Sender = address
		case found && i > 0 && key == "to":
			e.Recipients = append(e.Recipients, address)
		default:
			return Envelope{}, fmt.Errorf("envelope %q: line %d is malformed (want to=<ADDRESS>)", path, i+1)
		}
	}
	if len(e.Recipients) == 0 {
		return Envelope{}, fmt.Errorf("envelope %q: no recipients", path)
	}
	return e, nil
}

// writeEnvelope replaces the file of an envelope.
func (f *Folder) writeEnvelope(message string, e Envelope) error {
	var b strings.Builder
	fmt.Fprintf(&b, "from=<%s>\n", e.Sender)
	for _, r := range e.Recipients {
		fmt.Fprintf(&b, "to=<%s>\n", r)
	}
	next := envelopeName(message) + ".next"
	// A killed command may have left a file of this name, or somebody put a link there to have
	// another file overwritten.
	if err := f.root.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := f.root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(b.String())
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return f.root.Rename(next, envelopeName(message))
}
