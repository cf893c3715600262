//go:build unix

package traffic

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"time"
)

// An SMTP sends messages by SMTP as a mail server in front of a content filter does: it
// tries again unless the reply begins with 5. It keeps its connection. One goroutine may
// use it.
type SMTP struct {
	Address string        // TCP address of the server
	Account *Account      // that keeps account of the messages
	Timeout time.Duration // for a message; 0: a minute
	Pause   time.Duration // before it tries again; 0: 100 ms
	// Dial opens connections; nil: as package net.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	conn   net.Conn
	client *smtp.Client
}

// Send sends a message until it is accepted, refused for good, or ctx ends, whose error
// it returns.
func (s *SMTP) Send(ctx context.Context, m *Message) error {
	s.Account.begin(m)
	return retry(ctx, s.Account, m, s.Pause, func() attempt {
		uncertain, err := s.try(ctx, m)
		if err == nil {
			return attempt{}
		}
		var reply *textproto.Error
		if !errors.As(err, &reply) || reply.Code == 421 {
			s.Close()
			return attempt{again: true, uncertain: uncertain}
		}
		if reply.Code >= 500 {
			return attempt{refusal: reply.Error()}
		}
		if s.client.Reset() != nil {
			s.Close()
		}
		// linkmilter may have lost the reply of the next hop.
		return attempt{again: true, uncertain: uncertain}
	})
}

// try makes one attempt. uncertain says that the message was sent to its end.
func (s *SMTP) try(ctx context.Context, m *Message) (uncertain bool, err error) {
	timeout := s.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	if s.client == nil {
		if err := s.connect(ctx, timeout); err != nil {
			return false, err
		}
	}
	if err := s.conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return false, err
	}
	if err := s.begin(m); err != nil {
		return false, err
	}
	w, err := s.client.Data()
	if err != nil {
		return false, err
	}
	if _, err := w.Write(m.Raw); err != nil {
		return false, err
	}
	return true, w.Close()
}

// begin sends the envelope.
func (s *SMTP) begin(m *Message) error {
	id, err := s.client.Text.Cmd("XFORWARD NAME=client.example.org ADDR=%s", m.client())
	if err != nil {
		return err
	}
	s.client.Text.StartResponse(id)
	_, _, err = s.client.Text.ReadResponse(250)
	s.client.Text.EndResponse(id)
	if err != nil {
		return fmt.Errorf("XFORWARD: %w", err)
	}
	if err := s.client.Mail(sender); err != nil {
		return err
	}
	return s.client.Rcpt(recipient)
}

func (s *SMTP) connect(ctx context.Context, timeout time.Duration) (err error) {
	dial := s.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: timeout}).DialContext
	}
	if s.conn, err = dial(ctx, "tcp", s.Address); err != nil {
		return err
	}
	if err = s.conn.SetDeadline(time.Now().Add(timeout)); err == nil {
		if s.client, err = smtp.NewClient(s.conn, "localhost"); err == nil {
			err = s.client.Hello(Host)
		}
	}
	if err != nil {
		s.conn.Close()
		s.client = nil
	}
	return err
}

// Close closes the connection.
func (s *SMTP) Close() {
	if s.client != nil {
		s.client.Close()
		s.client = nil
	}
}
