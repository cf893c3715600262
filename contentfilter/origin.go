package contentfilter

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/envelope"
)

// origin says where the messages of a connection come from.
type origin struct {
	name      string // name of this host
	lmtp      bool   // the client speaks LMTP
	listener  string
	peer      netip.Addr // address of the client; the zero Addr on a Unix socket
	trusted   bool       // the client may say on whose behalf it comes
	helo      string     // the name by which the client introduced itself
	extended  bool       // it did so by EHLO or LHLO
	encrypted bool
}

// newOrigin returns the origin of a connection from remote, before the client has
// introduced itself.
func newOrigin(o *Options, listener string, remote net.Addr) origin {
	from := origin{name: o.Name, lmtp: o.LMTP, listener: listener, trusted: true}
	tcp, ok := remote.(*net.TCPAddr)
	if !ok {
		return from // a Unix socket: its permissions decide
	}
	from.peer = tcp.AddrPort().Addr().Unmap().WithZone("")
	from.trusted = from.peer.IsLoopback() ||
		slices.ContainsFunc(o.XForward, func(network netip.Prefix) bool { return network.Contains(from.peer) })
	return from
}

// envelope returns the part of the envelope that all messages share. A mail server on
// this machine sends mail of other clients, so its address is not the client's.
func (from *origin) envelope() envelope.Envelope {
	// Rules with the condition `daemon` see the address of the listener:
	// 127.0.0.1:10025 or unix:/path.
	env := envelope.Envelope{Host: from.name, Daemon: strings.TrimPrefix(from.listener, "tcp:"), Helo: from.helo}
	if !from.peer.IsLoopback() {
		env.Client = from.peer
	}
	return env
}

// received returns the trace field of a message (RFC 5321 §4.4).
func (from *origin) received(env *envelope.Envelope, now time.Time) string {
	address := "unix"
	if from.peer.IsValid() {
		address = "[" + from.peer.String() + "]"
		if from.peer.Is6() {
			address = "[IPv6:" + from.peer.String() + "]"
		}
	}
	return fmt.Sprintf("Received: from %s (%s)\r\n\tby %s (linkmilter) with %s id %s;\r\n\t%s\r\n",
		traceName(from.helo), address, from.name, from.protocol(env.SMTPUTF8), traceName(env.QueueID), now.Format(time.RFC1123Z))
}

// protocol returns the keyword for how a message came (RFC 3848, RFC 6531 §4.3).
func (from *origin) protocol(utf8 bool) string {
	name := "SMTP"
	switch {
	case from.lmtp && utf8:
		name = "UTF8LMTP"
	case from.lmtp:
		name = "LMTP"
	case utf8:
		name = "UTF8SMTP"
	case from.extended:
		name = "ESMTP"
	}
	if from.encrypted && name != "SMTP" {
		name += "S"
	}
	return name
}

// traceName makes a peer's text fit for a trace field: it writes a question mark for
// a byte that is not visible ASCII, or has a meaning there.
func traceName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune("();<>\\\"", r) {
			return '?'
		}
		return r
	}, name[:min(len(name), 255)])
	if name == "" {
		return "unknown"
	}
	return name
}

// countReceived returns the number of Received fields in the header of a message.
func countReceived(raw []byte) int {
	name := []byte("received")
	n := 0
	for len(raw) > 0 {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		if len(bytes.TrimRight(line, "\r")) == 0 {
			break
		}
		if len(line) > len(name) && bytes.EqualFold(line[:len(name)], name) && bytes.HasPrefix(bytes.TrimLeft(line[len(name):], " \t"), []byte(":")) {
			n++
		}
		raw = rest
	}
	return n
}
