// Package mta is the part of a mail server that speaks to milters: it hands a message
// to a milter and returns it with the changes that the milter asked for.
package mta

import (
	"bytes"
	"net"
	"time"

	gomilter "github.com/emersion/go-milter"
)

// A Milter says how to reach a milter.
type Milter struct {
	Network, Address string
	Timeout          time.Duration        // for each packet; 0: no limit
	Dialer           gomilter.Dialer      // nil: the dialer of package net
	Host             string               // name of the mail server, for the macro j; "" leaves it out
	Protocol         gomilter.OptProtocol // steps without a reply that the mail server offers to the milter
}

// actions are the rights that a milter gets.
const actions = gomilter.OptAddHeader | gomilter.OptChangeHeader | gomilter.OptChangeBody

// An Envelope is what a mail server says before the header of a message.
type Envelope struct {
	Sender     string
	Recipients []string
	Macros     []string // names and values, sent with the sender
}

// A Connection is a connection to a milter on behalf of one SMTP client.
type Connection struct {
	conn    net.Conn
	session *gomilter.ClientSession
}

// keeper is a dialer that remembers its connection, because the library does not close a connection
// that failed.
type keeper struct {
	dialer gomilter.Dialer
	conn   net.Conn
}

func (k *keeper) Dial(network, address string) (conn net.Conn, err error) {
	k.conn, err = k.dialer.Dial(network, address)
	return k.conn, err
}

// Connect opens a connection for an SMTP client with a name and an IP address.
func (m Milter) Connect(name, ip string) (*Connection, error) {
	k := &keeper{dialer: m.Dialer}
	if k.dialer == nil {
		k.dialer = &net.Dialer{Timeout: m.Timeout}
	}
	client := gomilter.NewClientWithOptions(m.Network, m.Address, gomilter.ClientOptions{
		Dialer: k, ReadTimeout: m.Timeout, WriteTimeout: m.Timeout, ActionMask: actions, ProtocolMask: m.Protocol,
	})
	session, err := client.Session()
	if err == nil && m.Host != "" {
		err = session.Macros(gomilter.CodeConn, "j", m.Host)
	}
	if err == nil {
		_, err = session.Conn(name, gomilter.FamilyInet, 25, ip)
	}
	if err == nil {
		_, err = session.Helo(name)
	}
	if err != nil {
		if k.conn != nil {
			k.conn.Close()
		}
		return nil, err
	}
	return &Connection{k.conn, session}, nil
}

// Filter hands over a message. It returns the message with the milter's changes, and the milter's
// last reply. After an error the connection cannot be used any more.
func (c *Connection) Filter(e Envelope, raw []byte) ([]byte, *gomilter.Action, error) {
	m := split(raw)
	steps := []func() (*gomilter.Action, error){func() (*gomilter.Action, error) { return c.mail(e) }}
	for _, to := range e.Recipients {
		steps = append(steps, func() (*gomilter.Action, error) { return c.session.Rcpt(to, nil) })
	}
	for _, f := range m.fields {
		steps = append(steps, func() (*gomilter.Action, error) { return c.session.HeaderField(f.name, f.value()) })
	}
	for _, step := range append(steps, c.session.HeaderEnd) {
		if action, err := step(); err != nil || action.Code != gomilter.ActContinue {
			return raw, action, err
		}
	}
	changes, action, err := c.session.BodyReadFrom(bytes.NewReader(m.body))
	if err != nil {
		return nil, nil, err
	}
	return m.apply(changes), action, nil
}

func (c *Connection) mail(e Envelope) (*gomilter.Action, error) {
	if len(e.Macros) > 0 {
		if err := c.session.Macros(gomilter.CodeMail, e.Macros...); err != nil {
			return nil, err
		}
	}
	return c.session.Mail(e.Sender, nil)
}

// Close ends the connection, even in the middle of a message.
func (c *Connection) Close() error {
	err := c.session.Close()
	c.conn.Close()
	return err
}
