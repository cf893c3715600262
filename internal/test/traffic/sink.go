//go:build unix

package traffic

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/emersion/go-smtp"
)

// A Sink is an SMTP server that takes all messages and notes them in an account. It is
// the next hop of a content filter.
type Sink struct{ server *smtp.Server }

// NewSink returns a sink.
func NewSink(a *Account) *Sink {
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &delivery{a}, nil }))
	s.Domain = "sink.example.org"
	s.MaxLineLength = maxSize
	s.ErrorLog = silent{}
	return &Sink{s}
}

// silent is a log of connections that break off, as they do in tests of faults.
type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// Serve serves a listener until it is closed.
func (s *Sink) Serve(l net.Listener) error {
	if err := s.server.Serve(l); !errors.Is(err, net.ErrClosed) && !errors.Is(err, smtp.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends all connections and listeners.
func (s *Sink) Close() error { return s.server.Close() }

// delivery is a connection to a sink.
type delivery struct{ account *Account }

func (*delivery) Reset()                               {}
func (*delivery) Logout() error                        { return nil }
func (*delivery) Mail(string, *smtp.MailOptions) error { return nil }
func (*delivery) Rcpt(string, *smtp.RcptOptions) error { return nil }

// Data takes a message. It arrived when its end did, whether the reply gets through or
// not.
func (d *delivery) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	traced, err := withoutTrace(raw)
	if err != nil {
		return err
	}
	d.account.arrived(traced)
	return nil
}

// withoutTrace returns a message without the field Received that the content filter put
// on top.
func withoutTrace(raw []byte) ([]byte, error) {
	if !bytes.HasPrefix(raw, []byte("Received: ")) {
		return nil, fmt.Errorf("the message begins with %.40q (want Received)", raw)
	}
	for {
		_, rest, _ := bytes.Cut(raw, []byte("\r\n"))
		if raw = rest; len(raw) == 0 || raw[0] != '\t' && raw[0] != ' ' {
			return raw, nil
		}
	}
}
