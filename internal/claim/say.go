package claim

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Host returns the host that a finding is about.
func (f *Finding) Host() string {
	if f.Kind == FreeLink {
		return inASCII(f.Label, "a host")
	}
	return inASCII(f.Sender, "a host")
}

// NameInASCII returns the name of the brand, or the domain of its owner.
func (f *Finding) NameInASCII() string { return inASCII(f.Name, f.Domain) }

// Evidence says what the message has in place of a domain of the owner.
func (f *Finding) Evidence() string {
	sent := "sent without a domain"
	if f.Sender != "" {
		sent = "sent by " + f.Sender
	}
	if f.Forged {
		sent = "sent as " + f.Sender + ", which failed DMARC"
	}
	if f.Links != "" && f.Links != f.Sender {
		sent = fmt.Sprintf("%s, links to %s", sent, f.Links)
	}
	return inASCII(sent, "sent by another")
}

// inASCII returns a text that is printable ASCII, or else another.
func inASCII(s, other string) string {
	if ascii.Is(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return s
	}
	return other
}

// FirstLine returns the first line of a text that has a word.
func FirstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, " \t\r\n_-=*#>"); line != "" {
			return line[:min(len(line), MaxText)]
		}
	}
	return ""
}
