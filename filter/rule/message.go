package rule

import (
	"net/netip"

	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/mailauth"
)

// A Message is what conditions see of a message.
type Message struct {
	Sender        string     // envelope sender without angle brackets; "" is the null sender
	Recipients    []string   // envelope recipients without angle brackets
	Client        netip.Addr // that sent the message; the zero Addr matches no network
	Authenticated bool       // the client logged in
	Daemon        string     // name of the MTA's daemon
	// Fields returns the values of the header fields called name, unfolded and
	// decoded (RFC 2047); Results the results of authentication that count. They
	// are only called where a rule has a condition on them.
	Fields  func(name string) []string
	Results func() []mailauth.Result
}

// view is a Message with what several rules ask of it.
type view struct {
	Message
	addresses []pattern.Address // see recipients
}

func newView(m Message) view {
	// An IPv4 client of an IPv6 socket is an IPv4 client.
	m.Client = m.Client.Unmap().WithZone("")
	return view{Message: m}
}

// recipients returns the parsed envelope recipients. It parses them once, and only
// where a rule asks for them.
func (v *view) recipients() []pattern.Address {
	if v.addresses == nil {
		v.addresses = make([]pattern.Address, len(v.Recipients))
		for i, r := range v.Recipients {
			v.addresses[i] = pattern.ParseAddress(r)
		}
	}
	return v.addresses
}
