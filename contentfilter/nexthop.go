package contentfilter

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// NextHop is the mail server that gets the messages.
type NextHop struct {
	// Address is `host:port`, or the path of a Unix socket.
	Address string
	// LMTP: it speaks LMTP (RFC 2033).
	LMTP bool
	// TLS is the configuration with which the connection is encrypted if the next hop offers
	// STARTTLS; nil means no encryption. Without a ServerName the certificate must be for the host
	// of Address.
	TLS *tls.Config
	// RequireTLS: a next hop that does not offer STARTTLS counts as down.
	RequireTLS bool
	// Timeout bounds a connection, a reply and a write of a message. The reply after a
	// message may take twice as long.
	Timeout time.Duration

	self      string        // a text that only our own greeting has
	keepAlive time.Duration // pause after which a silent connection is kept alive; 1 minute, except in tests
}

// nextHopTimeout is the default of NextHop.Timeout. RFC 5321 §4.5.3.2 asks for
// 5 minutes, and for 10 after a message.
const nextHopTimeout = 5 * time.Minute

// withDefaults validates n and returns it with defaults in place of zero values.
func (n NextHop) withDefaults() (NextHop, error) {
	if n.Timeout < 0 {
		return n, errNegative
	}
	if n.RequireTLS && n.TLS == nil {
		return n, errors.New("contentfilter: RequireTLS without TLS")
	}
	if n.Address == "" {
		return n, errors.New("contentfilter: no next hop")
	}
	network, host := n.network(), ""
	if network == "tcp" {
		var err error
		if host, _, err = net.SplitHostPort(n.Address); err != nil {
			return n, fmt.Errorf("contentfilter: next hop %q: %w", n.Address, err)
		}
	}
	if n.TLS != nil && n.TLS.ServerName == "" && !n.TLS.InsecureSkipVerify {
		if host == "" {
			return n, errors.New("contentfilter: TLS to a Unix socket without a server name")
		}
		n.TLS = n.TLS.Clone()
		n.TLS.ServerName = host
	}
	n.Timeout = cmp.Or(n.Timeout, nextHopTimeout)
	n.self = rand.Text()
	// Postfix gives up after 5 minutes.
	n.keepAlive = cmp.Or(n.keepAlive, time.Minute)
	return n, nil
}

// network returns the network of Address for [net.Dial].
func (n NextHop) network() string {
	if strings.HasPrefix(n.Address, "/") {
		return "unix"
	}
	return "tcp"
}
