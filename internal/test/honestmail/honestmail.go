// Package honestmail writes honest mail of today: what people and their programs get in many
// languages, with the header, links and HTML of the services that send it. None of it deserves
// a finding of medium, so it measures false alarms.
//
// Texts are in testdata/mail, services in testdata/services.txt.
package honestmail

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/envelope"
)

// Host is the receiving mail host. It wrote the Authentication-Results.
const Host = "mx.nordlichtwerke.de"

// Protected returns the domains of the organisation that gets the mail, Nordlichtwerke AG.
func Protected() []string {
	return []string{"nordlichtwerke.de", "stadtwerke-auental.de"}
}

// A Message is one honest message.
type Message struct {
	Name     string // kind, language and a number: "parcel-carrier-de-2"
	Kind     string
	Language string // a tag as in BCP 47, such as "pt-br"
	Service  string // that sent it, of testdata/services.txt
	// Exception says why honest mail looks so much like a deception that a finding is no
	// fault, as when one's own people write from a private address. It is "" of all others.
	Exception string
	Raw       []byte
	Envelope  envelope.Envelope
}

//go:embed testdata/services.txt testdata/mail/*.txt
var testdata embed.FS

// All returns all messages, always the same, exceptions among them.
func All() ([]Message, error) {
	services, err := readServices()
	if err != nil {
		return nil, err
	}
	entries, err := testdata.ReadDir("testdata/mail")
	if err != nil {
		return nil, err
	}
	var all []Message
	counts := make(map[string]int)
	for _, entry := range entries {
		letters, err := readLetters(path.Join("testdata/mail", entry.Name()))
		if err != nil {
			return nil, err
		}
		for _, l := range letters {
			s, ok := services[l.service]
			if !ok {
				return nil, fmt.Errorf("service %q of the letter %q: not in services.txt", l.service, l.subject)
			}
			key := l.kind + "-" + l.language
			counts[key]++
			name := fmt.Sprintf("%s-%d", key, counts[key])
			message, err := compose(name, len(all), l, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, message)
		}
	}
	return all, nil
}

// lines returns the lines of an embedded file without comments and empty lines.
func lines(name string) ([]string, error) {
	b, err := testdata.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Split(string(b), "\n"), func(line string) bool {
		return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")
	}), nil
}
