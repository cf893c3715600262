//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Envelope is what a client says before the message.
type Envelope struct {
	From   string
	To     []string
	Params string // of MAIL FROM, such as "BODY=8BITMIME SMTPUTF8"
}

// session is an SMTP session with a server, for any goroutine of a test. It sends
// exactly the bytes it is given. (The clients of libraries change line ends.)
type session struct {
	conn  net.Conn
	reply *bufio.Reader
}

// Client is an SMTP client that ends the test when the session breaks off, or
// a reply is not the one that is expected.
type Client struct {
	session
	tb    testing.TB
	Hello string // the server's reply to EHLO
}

// Dial connects to a server and says EHLO. The connection ends with the test.
func Dial(tb testing.TB, addr string) *Client {
	tb.Helper()
	return DialFrom(tb, nil, addr)
}

// DialFrom is Dial from an address of this machine.
func DialFrom(tb testing.TB, from *net.TCPAddr, addr string) *Client {
	tb.Helper()
	var dialer net.Dialer
	if from != nil {
		dialer.LocalAddr = from
	}
	conn, err := dialer.Dial("tcp", addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close() })
	c := &Client{session: session{conn, bufio.NewReader(conn)}, tb: tb}
	c.expect("greeting", 220, c.must(c.read()))
	c.Hello = c.Command(250, "EHLO client.example")
	return c
}

// Offer sends a message on a connection of its own, up to the first command
// that is not accepted. It returns the reply to that, or to the message.
func Offer(addr string, env Envelope, message []byte) (Reply, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return Reply{}, err
	}
	defer conn.Close()
	s := &session{conn, bufio.NewReader(conn)}
	reply, err := s.read()
	commands := []string{"EHLO client.example", env.mail()}
	for _, to := range env.To {
		commands = append(commands, "RCPT TO:<"+to+">")
	}
	for _, command := range append(commands, "DATA") {
		if err != nil || reply.Code >= 400 {
			return reply, err
		}
		reply, err = s.exchange([]byte(command + "\r\n"))
	}
	if err != nil || reply.Code >= 400 {
		return reply, err
	}
	return s.exchange(append(stuffDots(message), ".\r\n"...))
}

// mail returns the MAIL command.
func (env Envelope) mail() string {
	return strings.TrimRight("MAIL FROM:<"+env.From+"> "+env.Params, " ")
}

// Reply is a server's reply: its code and its whole text.
type Reply struct {
	Code int
	Text string
}

// QueueID returns the queue id in the reply to a message, as Postfix
// ("250 2.0.0 Ok: queued as ID") and Sendmail ("250 2.0.0 ID Message
// accepted for delivery") write it.
func (r Reply) QueueID() string {
	words := strings.Fields(r.Text)
	switch {
	case strings.Contains(r.Text, "queued as "):
		return words[len(words)-1]
	case len(words) > 2:
		return words[2]
	}
	return ""
}

// Try sends one command and returns the reply, whatever it is.
func (c *Client) Try(format string, args ...any) Reply {
	c.tb.Helper()
	return c.must(c.exchange([]byte(fmt.Sprintf(format, args...) + "\r\n")))
}

// Command sends one command and returns the text of the reply, which must
// have the code given.
func (c *Client) Command(code int, format string, args ...any) string {
	c.tb.Helper()
	reply := c.Try(format, args...)
	c.expect(fmt.Sprintf(format, args...), code, reply)
	return reply.Text
}

// Begin sends the envelope and DATA. All of it must be accepted.
func (c *Client) Begin(env Envelope) {
	c.tb.Helper()
	c.Command(250, "%s", env.mail())
	for _, to := range env.To {
		c.Command(250, "RCPT TO:<%s>", to)
	}
	c.Command(354, "DATA")
}

// Write sends a part of the message's content, or all of it. Parts must end
// at line ends.
func (c *Client) Write(content []byte) {
	c.tb.Helper()
	if err := c.write(stuffDots(content)); err != nil {
		c.tb.Fatal(err)
	}
}

// End ends the content and returns the server's reply.
func (c *Client) End() Reply {
	c.tb.Helper()
	return c.must(c.exchange([]byte(".\r\n")))
}

// Send sends a whole message, which must be accepted, and returns the
// server's queue id. Line ends must be CRLF; one is added where the last
// line has none.
func (c *Client) Send(env Envelope, message []byte) (queueID string) {
	c.tb.Helper()
	reply := c.Submit(env, message)
	c.expect("end of message", 250, reply)
	return reply.QueueID()
}

// Submit is Send, but for the reply to the message: it may be any.
func (c *Client) Submit(env Envelope, message []byte) Reply {
	c.tb.Helper()
	c.Begin(env)
	if !bytes.HasSuffix(message, []byte("\r\n")) {
		message = append(bytes.Clone(message), "\r\n"...)
	}
	c.Write(message)
	return c.End()
}

func (c *Client) expect(what string, code int, reply Reply) {
	c.tb.Helper()
	if reply.Code != code {
		c.tb.Fatalf("SMTP %q: reply %q, want code %d", what, reply.Text, code)
	}
}

func (c *Client) must(reply Reply, err error) Reply {
	c.tb.Helper()
	if err != nil {
		c.tb.Fatal(err)
	}
	return reply
}

// stuffDots gives lines that start with a dot another one (RFC 5321 §4.5.2).
func stuffDots(content []byte) []byte {
	stuffed := bytes.ReplaceAll(content, []byte("\r\n."), []byte("\r\n.."))
	if bytes.HasPrefix(stuffed, []byte(".")) {
		stuffed = append([]byte("."), stuffed...)
	}
	return stuffed
}

// exchange sends something and reads the reply to it.
func (s *session) exchange(p []byte) (Reply, error) {
	if err := s.write(p); err != nil {
		return Reply{}, err
	}
	return s.read()
}

func (s *session) write(p []byte) error {
	if err := s.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := s.conn.Write(p); err != nil {
		return fmt.Errorf("SMTP write: %w", err)
	}
	return nil
}

func (s *session) read() (Reply, error) {
	if err := s.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return Reply{}, err
	}
	var text strings.Builder
	for {
		line, err := s.reply.ReadString('\n')
		if err != nil {
			return Reply{}, fmt.Errorf("SMTP reply: %w (so far %q)", err, text.String())
		}
		text.WriteString(line)
		if len(line) < 4 {
			return Reply{}, fmt.Errorf("SMTP reply: malformed line %q", line)
		}
		if line[3] == '-' {
			continue
		}
		code, err := strconv.Atoi(line[:3])
		if err != nil {
			return Reply{}, fmt.Errorf("SMTP reply: malformed line %q", line)
		}
		return Reply{Code: code, Text: text.String()}, nil
	}
}
