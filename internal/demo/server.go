package demo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	gomilter "github.com/emersion/go-milter"
	"github.com/emersion/go-smtp"
)

const ioTimeout = 10 * time.Second

// server is an SMTP server that passes every message through one milter and
// hands what comes out to deliver.
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
	queueID    string // "": none
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
	client := gomilter.NewClientWithOptions(s.server.milter.Network(), s.server.milter.String(), gomilter.ClientOptions{
		ReadTimeout:  ioTimeout,
		WriteTimeout: ioTimeout,
		ActionMask:   gomilter.OptAddHeader | gomilter.OptChangeHeader | gomilter.OptChangeBody,
	})
	milter, err := client.Session()
	if err != nil {
		return nil, err
	}
	defer milter.Close()

	m := split(raw)
	for _, step := range []func() (*gomilter.Action, error){
		func() (*gomilter.Action, error) {
			return milter.Conn("localhost", gomilter.FamilyInet, 25, s.server.client)
		},
		func() (*gomilter.Action, error) { return milter.Helo("client.example.org") },
		func() (*gomilter.Action, error) { return s.mail(milter) },
		func() (*gomilter.Action, error) { return s.rcpt(milter) },
		func() (*gomilter.Action, error) { return sendHeader(milter, m.fields) },
	} {
		if action, err := step(); err != nil || action.Code != gomilter.ActContinue {
			return raw, err
		}
	}
	changes, _, err := milter.BodyReadFrom(bytes.NewReader(m.body))
	if err != nil {
		return nil, err
	}
	return m.apply(changes), nil
}

func (s *session) mail(milter *gomilter.ClientSession) (*gomilter.Action, error) {
	if s.queueID != "" {
		if err := milter.Macros(gomilter.CodeMail, "i", s.queueID); err != nil {
			return nil, err
		}
	}
	return milter.Mail(s.sender, nil)
}

func (s *session) rcpt(milter *gomilter.ClientSession) (*gomilter.Action, error) {
	action := &gomilter.Action{Code: gomilter.ActContinue}
	for _, to := range s.recipients {
		var err error
		if action, err = milter.Rcpt(to, nil); err != nil || action.Code != gomilter.ActContinue {
			return action, err
		}
	}
	return action, nil
}

func sendHeader(milter *gomilter.ClientSession, fields []field) (*gomilter.Action, error) {
	for _, f := range fields {
		if action, err := milter.HeaderField(f.name, f.value()); err != nil || action.Code != gomilter.ActContinue {
			return action, err
		}
	}
	return milter.HeaderEnd()
}
