package rule

import (
	"net/netip"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
)

// message is what conditions see of a message: see [Set.For].
type message struct {
	*envelope.Envelope
	client     netip.Addr
	fields     func(name string) []string
	results    func() []mailauth.Result
	recipients []pattern.Address // see addresses
}

func newMessage(e *envelope.Envelope, fields func(name string) []string, results func() []mailauth.Result) message {
	// An IPv4 client of an IPv6 socket is an IPv4 client.
	return message{Envelope: e, client: e.Client.Unmap().WithZone(""), fields: fields, results: results}
}

// addresses returns the parsed envelope recipients. It parses them once, and only
// where a rule asks for them.
func (m *message) addresses() []pattern.Address {
	if m.recipients == nil {
		m.recipients = make([]pattern.Address, len(m.Recipients))
		for i, r := range m.Recipients {
			m.recipients[i] = pattern.ParseAddress(r)
		}
	}
	return m.recipients
}
