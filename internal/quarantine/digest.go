package quarantine

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"mime/quotedprintable"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// maxDigest is how many messages a digest lists.
const maxDigest = 200

// A Digest is a message about messages in quarantine.
type Digest struct {
	From     string // address in the header, for replies
	To       string
	Host     string // name of this host
	Since    time.Time
	Now      time.Time
	Messages []Message
	ForUser  bool // the reader cannot release messages
}

// Digests returns digests of the messages since a time. Each address of to gets a digest of all
// messages. Each recipient that matches a pattern of users gets a digest of their own messages.
// There is no digest without messages.
func (f *Folder) Digests(to, users []string, d Digest) ([]Digest, error) {
	patterns, err := pattern.NewAddresses(users)
	if err != nil {
		return nil, err
	}
	list, err := f.List()
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(m Message) bool { return m.Time.Before(d.Since) })
	if len(list) == 0 {
		return nil, nil
	}
	var digests []Digest
	add := func(address string, messages []Message, forUser bool) {
		next := d
		next.To, next.Messages, next.ForUser = address, messages, forUser
		digests = append(digests, next)
	}
	for _, address := range to {
		add(address, list, false)
	}
	own := map[string][]Message{}
	for _, m := range list {
		for _, r := range f.recipients(m.Name) {
			if patterns.Has(pattern.ParseAddress(r)) {
				own[r] = append(own[r], m)
			}
		}
	}
	for _, r := range slices.Sorted(maps.Keys(own)) {
		add(r, own[r], true)
	}
	return digests, nil
}

// Text returns the digest as plain text in which no program finds a link.
func (d *Digest) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The mail server held %s since %s, because of deceptive links.\n", count(len(d.Messages)), d.Since.Format("2006-01-02 15h04"))
	if d.ForUser {
		b.WriteString("They were sent to you and not delivered. Reply with the name of a message that you\nexpect; the operators can release it.\n")
	} else {
		b.WriteString("To release one: linkmilter quarantine release NAME\n")
	}
	b.WriteString("Hosts and addresses are written with brackets, so that nothing here can be opened.\n")
	for i, m := range d.Messages {
		if i == maxDigest {
			fmt.Fprintf(&b, "\nand %s more\n", printable.Number(len(d.Messages)-maxDigest))
			break
		}
		fmt.Fprintf(&b, "\nName:    %s\nCame:    %s\nFrom:    %s\nSubject: %s\nBecause: %s\n", plain(m.Name), m.Time.Format("2006-01-02 15h04"),
			plain(m.Sender), plain(m.Subject), strings.Join(m.Codes, ", "))
		if !d.ForUser {
			fmt.Fprintf(&b, "Recipients: %d\n", m.Recipients)
		}
	}
	return b.String()
}

func count(n int) string {
	if n == 1 {
		return "one message"
	}
	return printable.Number(n) + " messages"
}

// maxShown is how many bytes of a text of a message a digest shows.
const maxShown = 200

// plain returns text of a message as one line in which no program finds a link.
func plain(text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "..."
	}
	return judge.Defang(printable.Text(text))
}

// Undo returns the name of a message from the form in which a digest shows it.
func Undo(name string) string { return strings.NewReplacer("[.]", ".", "[:]", ":").Replace(name) }

// Message returns the digest as a message.
func (d *Digest) Message() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: linkmilter <%s>\r\nTo: <%s>\r\nSubject: %s held because of deceptive links\r\nDate: %s\r\nMessage-ID: <%s@%s>\r\n",
		d.From, d.To, count(len(d.Messages)), d.Now.Format(time.RFC1123Z), rand.Text(), d.Host)
	b.WriteString("Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
	w := quotedprintable.NewWriter(&b)
	if _, err := w.Write([]byte(strings.ReplaceAll(d.Text(), "\n", "\r\n"))); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}

// Send sends digests by a server, with the null sender, so that no reply of a program comes back. It
// returns which of them the server took, and why it did not take the first of the others, without
// addresses.
func Send(ctx context.Context, hop contentfilter.NextHop, host string, digests []Digest) (sent []bool, err error) {
	if len(digests) == 0 {
		return nil, nil
	}
	client, err := dial(ctx, hop, host)
	if err != nil {
		return nil, fmt.Errorf("server %q: %w", hop.Address, err)
	}
	defer client.Close()
	sent = make([]bool, len(digests))
	for i := range digests {
		content, problem := digests[i].Message()
		if problem == nil {
			_, problem = send(client, hop.LMTP, Envelope{Recipients: []string{digests[i].To}}, content)
		}
		if sent[i] = problem == nil; !sent[i] {
			err = keep(err, fmt.Errorf("server %q: %w", hop.Address, problem))
			_ = client.Reset() // a broken connection fails with the next digest
		}
	}
	_ = client.Quit() // each digest has its reply
	return sent, err
}
