package contentfilter

import (
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

const (
	// freeRecipients is how many recipients a message may have without reserving memory. Every
	// server must accept as many (RFC 5321 §4.5.3.1.8).
	freeRecipients = 100
	// recipientCost is the memory of a recipient in bytes, apart from its text.
	recipientCost = 64
)

// message is an open transaction.
type message struct {
	env    envelope.Envelope
	size   int64  // as declared, or 0
	mail   string // the command line as the next hop got it, for a hold address
	budget *mailserver.Budget
	memory int64 // bytes reserved for recipients
}

// reserve reserves the memory for one more recipient, and reports whether there is enough.
func (m *message) reserve(to string) bool {
	if len(m.env.Recipients) < freeRecipients {
		return true
	}
	n := int64(len(to)) + recipientCost
	if !m.budget.Reserve(n) {
		return false
	}
	m.memory += n
	return true
}

// release releases the memory.
func (m *message) release() { m.budget.Release(m.memory) }
