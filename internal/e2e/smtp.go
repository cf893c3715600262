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

// Client is an SMTP client that sends exactly the bytes it is given. (The
// clients of libraries change line ends.)
type Client struct {
	tb    testing.TB
	conn  net.Conn
	reply *bufio.Reader
	Hello string // the server's reply to EHLO
}

// Dial connects to a server and says EHLO. The connection ends with the test.
func Dial(tb testing.TB, addr string) *Client {
	tb.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close() })
	c := &Client{tb: tb, conn: conn, reply: bufio.NewReader(conn)}
	c.expect("greeting", 220, c.read())
	c.Hello = c.Command(250, "EHLO client.example")
	return c
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
	c.write([]byte(fmt.Sprintf(format, args...) + "\r\n"))
	return c.read()
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
	c.Command(250, "%s", strings.TrimRight("MAIL FROM:<"+env.From+"> "+env.Params, " "))
	for _, to := range env.To {
		c.Command(250, "RCPT TO:<%s>", to)
	}
	c.Command(354, "DATA")
}

// Write sends a part of the message's content, or all of it. Lines that
// start with a dot get another one (RFC 5321 §4.5.2); parts must end at
// line ends.
func (c *Client) Write(content []byte) {
	c.tb.Helper()
	if bytes.HasPrefix(content, []byte(".")) {
		c.write([]byte("."))
	}
	c.write(bytes.ReplaceAll(content, []byte("\r\n."), []byte("\r\n..")))
}

// End ends the content and returns the server's reply.
func (c *Client) End() Reply {
	c.tb.Helper()
	c.write([]byte(".\r\n"))
	return c.read()
}

// Send sends a whole message, which must be accepted, and returns the
// server's queue id. Line ends must be CRLF; one is added where the last
// line has none.
func (c *Client) Send(env Envelope, message []byte) (queueID string) {
	c.tb.Helper()
	c.Begin(env)
	c.Write(message)
	if !bytes.HasSuffix(message, []byte("\r\n")) {
		c.write([]byte("\r\n"))
	}
	reply := c.End()
	c.expect("end of message", 250, reply)
	return reply.QueueID()
}

func (c *Client) expect(what string, code int, reply Reply) {
	c.tb.Helper()
	if reply.Code != code {
		c.tb.Fatalf("SMTP %q: reply %q, want code %d", what, reply.Text, code)
	}
}

func (c *Client) write(p []byte) {
	c.tb.Helper()
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		c.tb.Fatal(err)
	}
	if _, err := c.conn.Write(p); err != nil {
		c.tb.Fatalf("SMTP write: %v", err)
	}
}

func (c *Client) read() Reply {
	c.tb.Helper()
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		c.tb.Fatal(err)
	}
	var text strings.Builder
	for {
		line, err := c.reply.ReadString('\n')
		if err != nil {
			c.tb.Fatalf("SMTP reply: %v (so far %q)", err, text.String())
		}
		text.WriteString(line)
		if len(line) < 4 {
			c.tb.Fatalf("SMTP reply: malformed line %q", line)
		}
		if line[3] == '-' {
			continue
		}
		code, err := strconv.Atoi(line[:3])
		if err != nil {
			c.tb.Fatalf("SMTP reply: malformed line %q", line)
		}
		return Reply{Code: code, Text: text.String()}
	}
}
