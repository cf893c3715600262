package quarantine

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

// dialTimeout is how long a connection to the next hop may take.
const dialTimeout = 30 * time.Second

// Release sends a message to all its recipients by the next hop, and then deletes it. name is that
// of this host. If the next hop refuses recipients, the message stays in quarantine for these, and
// the error says why, without their addresses. Release removes the tags of the message, and a text
// of subjectTags in front of its subject.
func (f *Folder) Release(ctx context.Context, hop contentfilter.NextHop, name, message string, subjectTags ...string) error {
	content, err := f.Read(message)
	if err != nil {
		return err
	}
	content = released(content, subjectTags)
	envelope, err := f.readEnvelope(message)
	if err != nil {
		return err
	}
	client, err := dial(ctx, hop, name)
	if err != nil {
		return fmt.Errorf("next hop %q: %w", hop.Address, err)
	}
	defer client.Close()
	left, err := send(client, hop.LMTP, envelope, content)
	if len(left) == len(envelope.Recipients) {
		return fmt.Errorf("message %q: not released: %w", message, err)
	}
	_ = client.Quit() // the server has replied to the message, so errors do not matter
	if len(left) == 0 {
		return f.Delete(message)
	}
	envelope.Recipients = left
	if err := f.writeEnvelope(message, envelope); err != nil {
		return err
	}
	return fmt.Errorf("message %q: %d recipients left: %w", message, len(left), err)
}

// dial connects to the next hop and introduces this host.
func dial(ctx context.Context, hop contentfilter.NextHop, name string) (*smtp.Client, error) {
	network := "tcp"
	if strings.HasPrefix(hop.Address, "/") {
		network = "unix"
	}
	connect := func() (net.Conn, error) {
		conn, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, network, hop.Address)
		if err == nil {
			context.AfterFunc(ctx, func() { conn.Close() }) // a server that says nothing holds nobody up
		}
		return conn, err
	}
	conn, err := connect()
	if err != nil {
		return nil, err
	}
	client := smtp.NewClient(conn)
	if hop.LMTP {
		client = smtp.NewClientLMTP(conn)
	}
	if err := client.Hello(name); err != nil {
		client.Close()
		return nil, err
	}
	offered, _ := client.Extension("STARTTLS")
	if hop.TLS == nil || !offered && !hop.RequireTLS {
		return client, nil
	}
	client.Close()
	if hop.LMTP {
		return nil, errors.New("LMTP with STARTTLS: not supported (release it by another program)")
	}
	if conn, err = connect(); err != nil {
		return nil, err
	}
	return smtp.NewClientStartTLS(conn, configFor(hop))
}

// configFor returns the configuration of TLS with the name of the next hop.
func configFor(hop contentfilter.NextHop) *tls.Config {
	config := hop.TLS.Clone()
	if host, _, err := net.SplitHostPort(hop.Address); err == nil && config.ServerName == "" {
		config.ServerName = host
	}
	return config
}

// send sends a message in one transaction and returns the recipients that did not get
// it. The error says why the first of them did not.
func send(client *smtp.Client, lmtp bool, e Envelope, content []byte) (left []string, err error) {
	if err := client.Mail(e.Sender, mailOptions(client, e, content)); err != nil {
		return e.Recipients, withoutAddresses(err, e)
	}
	var accepted []string
	var first error
	for _, r := range e.Recipients {
		if err := client.Rcpt(r, nil); err != nil {
			left = append(left, r)
			first = keep(first, err)
			continue
		}
		accepted = append(accepted, r)
	}
	if len(accepted) == 0 {
		return e.Recipients, withoutAddresses(first, e)
	}
	data, err := client.Data()
	if err == nil {
		_, err = data.Write(content)
	}
	if err != nil {
		return e.Recipients, withoutAddresses(err, e)
	}
	if !lmtp {
		if _, err := data.CloseWithResponse(); err != nil {
			return e.Recipients, withoutAddresses(err, e)
		}
		return left, withoutAddresses(first, e)
	}
	replies, err := data.CloseWithLMTPResponse()
	for _, r := range accepted {
		if replies[r] == nil {
			left = append(left, r)
			first = keep(first, err)
		}
	}
	return left, withoutAddresses(first, e)
}

// keep returns the first of two errors.
func keep(first, err error) error {
	if first != nil {
		return first
	}
	return err
}

// mailOptions returns the parameters of MAIL FROM that a message needs, as far as the next hop
// supports them.
func mailOptions(client *smtp.Client, e Envelope, content []byte) *smtp.MailOptions {
	o := &smtp.MailOptions{}
	if offered, _ := client.Extension("8BITMIME"); offered && !ascii.Is(content) {
		o.Body = smtp.Body8BitMIME
	}
	header, _, _ := strings.Cut(string(content), "\r\n\r\n")
	offered, _ := client.Extension("SMTPUTF8")
	foreign := func(text string) bool { return !ascii.Is(text) }
	o.UTF8 = offered && (foreign(header) || foreign(e.Sender) || slices.ContainsFunc(e.Recipients, foreign))
	return o
}

// withoutAddresses returns an error of the next hop without the addresses that its
// replies may name.
func withoutAddresses(err error, e Envelope) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, r := range e.Recipients {
		text = strings.ReplaceAll(text, r, "RECIPIENT")
	}
	return errors.New(text)
}
