package contentfilter

import (
	"errors"
	"fmt"
	"strings"
)

// Quarantine says where a message in quarantine goes. With the zero value it goes on with its tags,
// and the log says so at the start and for each message.
type Quarantine struct {
	// Maildir is the path of a folder in that format. NewServer creates it if it is
	// missing. The client gets 250 when the message is on disk.
	Maildir string
	// Hold is an address to which the message goes instead of its recipients.
	Hold string
}

// check returns an error if q is not valid.
func (q Quarantine) check() error {
	switch {
	case q.Maildir != "" && q.Hold != "":
		return errors.New("contentfilter: quarantine: Maildir and Hold are set (want one of them)")
	case q.Hold != "" && (!strings.Contains(q.Hold, "@") || strings.ContainsFunc(q.Hold, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' })):
		return fmt.Errorf("contentfilter: quarantine address %q: not valid (want quarantine@example.com)", q.Hold)
	}
	return nil
}

// fieldQuarantined is the header field on top of a message in quarantine, with the name
// of this host, the queue id and the sender. It has only the number of recipients: each
// of them may get a released copy, and must not see the Bcc recipients.
const fieldQuarantined = "X-Linkmilter-Quarantined"

// quarantineField returns that field.
func quarantineField(name, queueID, sender string, recipients int) string {
	return fmt.Sprintf("%s: %s;\r\n id=%s;\r\n from=<%s>;\r\n recipients=%d\r\n",
		fieldQuarantined, name, addressText(queueID), addressText(sender), recipients)
}

// envelopeText returns the content of the file with the envelope of a message in quarantine. It has
// one address on each line, the sender first, as they came in SMTP.
func envelopeText(sender string, recipients []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "from=<%s>\n", sender)
	for _, r := range recipients {
		fmt.Fprintf(&b, "to=<%s>\n", r)
	}
	return b.String()
}

// maxAddressText keeps a line of the header below 998 bytes (RFC 5322 §2.1.1).
const maxAddressText = 900

// addressText returns an address in ASCII, with other characters and the backslash as `\x{HEX}`
// (RFC 6533 §3).
func addressText(address string) string {
	var b strings.Builder
	for _, r := range address {
		if r < ' ' || r > '~' || r == '\\' {
			fmt.Fprintf(&b, `\x{%X}`, r)
		} else {
			b.WriteRune(r)
		}
		if b.Len() > maxAddressText {
			b.WriteString("...")
			break
		}
	}
	return b.String()
}
