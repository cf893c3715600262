//go:build unix

package traffic

import (
	"context"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mta"
)

// A Milter sends messages through a milter as one process of a mail server, with
// milter_default_action = tempfail: an error puts the message off. It keeps its connection
// as long as the client stays the same. One goroutine may use it.
type Milter struct {
	mta.Milter
	Account *Account
	Pause   time.Duration // before it tries again; 0: 100 ms

	connection *mta.Connection
	client     string // of the connection
}

// Send sends a message until it is accepted, refused for good, or ctx ends, whose error
// it returns.
func (s *Milter) Send(ctx context.Context, m *Message) error {
	s.Account.begin(m)
	return retry(ctx, s.Account, m, s.Pause, func() attempt {
		if s.connection == nil || s.client != m.client() {
			s.Close()
			if err := s.connect(m.client()); err != nil {
				return attempt{again: true}
			}
		}
		filtered, action, err := s.connection.Filter(s.envelope(m), m.Raw)
		if err != nil {
			s.Close()
			return attempt{again: true}
		}
		switch action.Code {
		case gomilter.ActAccept, gomilter.ActContinue:
			s.Account.arrived(filtered)
			return attempt{}
		case gomilter.ActTempFail:
			return attempt{again: true}
		}
		return attempt{refusal: "reply " + string(rune(action.Code))}
	})
}

func (s *Milter) connect(client string) (err error) {
	s.client = client
	s.connection, err = s.Connect("client.example.org", client)
	return err
}

// envelope returns the envelope of a message.
func (s *Milter) envelope(m *Message) mta.Envelope {
	return mta.Envelope{Sender: sender, Recipients: []string{recipient}, Macros: []string{"i", m.ID}}
}

// Close closes the connection.
func (s *Milter) Close() {
	if s.connection != nil {
		s.connection.Close()
		s.connection = nil
	}
}
