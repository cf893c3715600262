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
