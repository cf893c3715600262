package contentfilter

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// Options configure a Server. Zero values mean those of [DefaultOptions], but a Filter
// and a NextHop.Address are needed.
type Options struct {
	mailserver.Options
	// NextHop is where messages go.
	NextHop NextHop
	// Quarantine is where held messages go.
	Quarantine Quarantine

	// Name of this host in the greeting, in EHLO and in Received; default: that of
	// the system.
	Name string
	// LMTP: clients speak LMTP (RFC 2033).
	LMTP bool
	// TLS is the configuration with which STARTTLS is offered; nil means that it is not offered.
	TLS *tls.Config
	// XForward are the networks, in addition to this machine, from which clients may send the
	// original client's data (Postfix's XFORWARD).
	XForward []netip.Prefix
	// PassBareLineEnds passes on messages with a bare CR or LF, byte by byte. Otherwise
	// they are refused: 550 5.6.0. Mail servers disagree about where such a message
	// ends, so a sender could smuggle a second message in it.
	PassBareLineEnds bool
	// MaxHops is how many Received fields a message may have. More are a mail loop:
	// 554 5.4.6.
	MaxHops int
	// MaxSize is the size in bytes above which a message is refused: 552 5.3.4. 0 means that only
	// the next hop decides. A large MaxSize takes no memory: see Limits.MaxMessage.
	MaxSize int64
	// MaxRecipients bounds the recipients of a message: 452 4.5.3 beyond that.
	MaxRecipients int
	Timeouts      Timeouts
}

// DefaultOptions returns the defaults. Each connection needs another one to the next
// hop. RFC 5321 §6.3 asks for a limit of at least 100 hops.
func DefaultOptions() Options {
	return Options{
		Options:       mailserver.Options{MaxConnections: 100},
		NextHop:       NextHop{Timeout: nextHopTimeout},
		MaxHops:       100,
		MaxRecipients: 1000,
		Timeouts:      defaultTimeouts(),
	}
}

// withDefaults validates o and returns it with defaults in place of zero values.
func (o Options) withDefaults() (Options, error) {
	if min(o.MaxHops, o.MaxRecipients) < 0 || o.MaxSize < 0 {
		return o, errNegative
	}
	var err error
	if o.Timeouts, err = o.Timeouts.withDefaults(); err != nil {
		return o, err
	}
	if o.NextHop, err = o.NextHop.withDefaults(); err != nil {
		return o, err
	}
	if o.Name == "" {
		if o.Name, err = os.Hostname(); err != nil {
			return o, fmt.Errorf("contentfilter: %w", err)
		}
	}
	if strings.ContainsFunc(o.Name, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("()<>@,;:\\\"", r) }) {
		return o, fmt.Errorf("contentfilter: host name %q: not valid (want mx.example.com)", o.Name)
	}
	if err := o.Quarantine.check(); err != nil {
		return o, err
	}
	d := DefaultOptions()
	o.MaxHops = cmp.Or(o.MaxHops, d.MaxHops)
	o.MaxRecipients = cmp.Or(o.MaxRecipients, d.MaxRecipients)
	return o, nil
}

// recipients returns how many recipients a message may have. After a message, LMTP has a reply for
// each recipient and SMTP one for all. If the two sides differ in this, only a message to one
// recipient has a true reply.
func (o *Options) recipients() int {
	if o.NextHop.LMTP && !o.LMTP {
		return 1
	}
	return o.MaxRecipients
}
