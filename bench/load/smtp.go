//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An smtpServer is how the harness reaches a server by SMTP with a stream.
type smtpServer struct {
	address string
	mails   stream
	forward bool // name the client with XFORWARD
	// recipient is that of a message.
	recipient func(i int) string

	mu       sync.Mutex
	contents [][]byte // dot-stuffed messages with their ends
}

func newSMTPServer(address string, mails stream, forward bool) *smtpServer {
	return &smtpServer{
		address: address, mails: mails, forward: forward, contents: make([][]byte, len(mails)),
		recipient: func(i int) string { return numbered(mails[i].recipient, i) },
	}
}

// An smtpClient is a connection to it.
type smtpClient struct {
	server *smtpServer
	conn   net.Conn
	in     *textproto.Reader
}

// connect opens a connection.
func (s *smtpServer) connect() (sender, error) {
	conn, err := net.DialTimeout("tcp", s.address, patience)
	if err != nil {
		return nil, err
	}
	c := &smtpClient{s, conn, textproto.NewReader(bufio.NewReader(conn))}
	if err = c.expect(220); err == nil {
		err = c.command(250, "EHLO "+serverName)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// expect reads a reply.
func (c *smtpClient) expect(code int) error {
	_, _, err := c.in.ReadResponse(code)
	return err
}

// command sends a line and reads the reply.
func (c *smtpClient) command(code int, line string) error {
	if _, err := c.conn.Write([]byte(line + "\r\n")); err != nil {
		return err
	}
	return c.expect(code)
}

// content returns the bytes of a message as SMTP has them.
func (s *smtpServer) content(i int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contents[i] == nil {
		raw := s.mails[i].raw()
		stuffed := bytes.ReplaceAll(raw, []byte("\r\n."), []byte("\r\n.."))
		if !bytes.HasSuffix(stuffed, []byte("\r\n")) {
			stuffed = append(stuffed, "\r\n"...)
		}
		s.contents[i] = append(stuffed, ".\r\n"...)
	}
	return s.contents[i]
}

// send hands over message i. The next hop checks what it becomes.
func (c *smtpClient) send(i int) error {
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	m := c.server.mails[i]
	if c.server.forward {
		address := clientAddress
		if m.login {
			address = "127.0.0.1"
		}
		if err := c.command(250, "XFORWARD NAME="+clientName+" ADDR="+address+" HELO="+clientName); err != nil {
			return fmt.Errorf("XFORWARD: %w", err)
		}
	}
	for _, line := range []string{"MAIL FROM:<" + m.sender + "> BODY=8BITMIME", "RCPT TO:<" + c.server.recipient(i) + ">"} {
		if err := c.command(250, line); err != nil {
			return fmt.Errorf("message %d (%s): %s: %w", i, m.kind, line, err)
		}
	}
	if err := c.command(354, "DATA"); err != nil {
		return err
	}
	if _, err := c.conn.Write(c.server.content(i)); err != nil {
		return err
	}
	if err := c.expect(250); err != nil {
		return fmt.Errorf("message %d (%s): %w", i, m.kind, err)
	}
	return nil
}

func (c *smtpClient) close() { _ = c.conn.Close() }

// numbered returns an address with the number of a message, by which the next hop knows it.
func numbered(address string, i int) string {
	local, domain, _ := strings.Cut(address, "@")
	return local + "+" + strconv.Itoa(i) + "@" + domain
}

// number returns the number in an address.
func number(address string) (int, error) {
	local, _, _ := strings.Cut(address, "@")
	_, digits, _ := strings.Cut(local, "+")
	return strconv.Atoi(digits)
}
