package quarantine

import (
	"fmt"
	"os"
	"strings"
)

// An Envelope is that of a message in quarantine.
type Envelope struct {
	Sender     string // empty: the null sender
	Recipients []string
}

// readEnvelope reads the file of an envelope: a line from=<ADDRESS>, and then a line
// to=<ADDRESS> for each recipient.
func readEnvelope(path string) (Envelope, error) {
	content, err := os.ReadFile(path)
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
func writeEnvelope(path string, e Envelope) error {
	var b strings.Builder
	fmt.Fprintf(&b, "from=<%s>\n", e.Sender)
	for _, r := range e.Recipients {
		fmt.Fprintf(&b, "to=<%s>\n", r)
	}
	next := path + ".next"
	if err := os.WriteFile(next, []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}
