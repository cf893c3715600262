//go:build linux

package e2e

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// A hop is a mail server that takes every message.
type hop struct {
	address  string
	messages chan string
}

// newHop starts a hop.
func newHop(t *testing.T) *hop {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hop{l.Addr().String(), make(chan string, 10)}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return hopSession{h}, nil }))
	server.Domain = "hop.example"
	go func() { _ = server.Serve(l) }() // until Close
	t.Cleanup(func() { server.Close() })
	return h
}

// next returns the message that comes next.
func (h *hop) next(t *testing.T) string {
	t.Helper()
	select {
	case message := <-h.messages:
		return message
	case <-time.After(30 * time.Second):
		t.Fatal("no message came")
		return ""
	}
}

type hopSession struct{ *hop }

func (hopSession) Mail(string, *smtp.MailOptions) error { return nil }
func (hopSession) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (hopSession) Reset()                               {}
func (hopSession) Logout() error                        { return nil }

func (s hopSession) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	if err == nil {
		s.messages <- string(content)
	}
	return err
}
