package demo

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/internal/mta"
)

const ioTimeout = 10 * time.Second

// server is an SMTP server that passes every message through one milter and hands the result to
// deliver.
type server struct {
	milter  net.Addr
	client  string // IP address of the client, as the milter is told
	deliver func(message []byte)
}

// serve answers SMTP on l until l is closed.
func (s *server) serve(l net.Listener) error {
	smtpServer := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{server: s}, nil
	}))
	smtpServer.Domain = "mx.example.org"
	smtpServer.ReadTimeout = ioTimeout
	smtpServer.WriteTimeout = ioTimeout
	smtpServer.EnableSMTPUTF8 = true
	if err := smtpServer.Serve(l); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// session is one SMTP connection.
type session struct {
	server     *server
	queueID    string // "" if there is no message
	sender     string
	recipients []string
}

func (s *session) Reset()        { s.sender, s.recipients = "", nil }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.sender = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.recipients = append(s.recipients, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	filtered, err := s.filter(raw)
	if err != nil {
		return fmt.Errorf("milter session: %w", err)
	}
	s.server.deliver(filtered)
	return nil
}

// filter sends raw through the milter as a mail server does and returns the
// message with the changes that the milter asked for.
func (s *session) filter(raw []byte) ([]byte, error) {
	milter := mta.Milter{Network: s.server.milter.Network(), Address: s.server.milter.String(), Timeout: ioTimeout}
	connection, err := milter.Connect("localhost", s.server.client)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	envelope := mta.Envelope{Sender: s.sender, Recipients: s.recipients}
	if s.queueID != "" {
		envelope.Macros = []string{"i", s.queueID}
	}
	filtered, _, err := connection.Filter(envelope, raw)
	return filtered, err
}
