package dnslist

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// A reply is the answer of a resolver.
type reply struct {
	addresses [][4]byte // none: the name does not exist
	ttl       time.Duration
}

// maxReply is the largest reply in bytes without EDNS (RFC 1035 §4.2.1).
const maxReply = 512

// ask asks a resolver for the addresses of a name. It uses a new port and id for each question.
func ask(ctx context.Context, server, name string) (reply, error) {
	question, id, err := newQuestion(name)
	if err != nil {
		return reply{}, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "udp", server)
	if err != nil {
		return reply{}, err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	if _, err := conn.Write(question); err != nil {
		return reply{}, err
	}
	buffer := make([]byte, maxReply)
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return reply{}, err
		}
		if r, ok, err := read(buffer[:n], id, name); ok {
			return r, err
		}
	}
}

// newQuestion returns a question for the addresses of a name, and its id.
func newQuestion(name string) ([]byte, uint16, error) {
	q, err := dnsmessage.NewName(name)
	if err != nil {
		return nil, 0, err
	}
	var random [2]byte
	_, _ = rand.Read(random[:]) // it does not fail
	id := binary.BigEndian.Uint16(random[:])
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: id, RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: q, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}},
	}
	packed, err := m.Pack()
	return packed, id, err
}

// read reads a reply. ok is false for a message that does not answer the question.
func read(packet []byte, id uint16, name string) (r reply, ok bool, err error) {
	var m dnsmessage.Message
	if err := m.Unpack(packet); err != nil || m.ID != id || !m.Response || len(m.Questions) != 1 ||
		!strings.EqualFold(m.Questions[0].Name.String(), name) || m.Questions[0].Type != dnsmessage.TypeA {
		return reply{}, false, nil
	}
	switch {
	case m.Truncated:
		return reply{}, true, errors.New("the answer is truncated")
	case m.RCode != dnsmessage.RCodeSuccess && m.RCode != dnsmessage.RCodeNameError:
		return reply{}, true, fmt.Errorf("the resolver says %s", m.RCode)
	}
	r.ttl = -1
	for _, a := range m.Answers {
		if body, isAddress := a.Body.(*dnsmessage.AResource); isAddress {
			r.addresses = append(r.addresses, body.A)
			r.shorten(a.Header.TTL)
		}
	}
	if len(r.addresses) == 0 {
		for _, a := range m.Authorities {
			if body, isSOA := a.Body.(*dnsmessage.SOAResource); isSOA { // RFC 2308 §5
				r.shorten(min(a.Header.TTL, body.MinTTL))
			}
		}
	}
	return r, true, nil
}

// shorten sets the time to live, unless it is shorter already.
func (r *reply) shorten(seconds uint32) {
	if ttl := time.Duration(seconds) * time.Second; r.ttl < 0 || ttl < r.ttl {
		r.ttl = ttl
	}
}

// resolvConf is the file with the system's resolvers.
const resolvConf = "/etc/resolv.conf"

// systemServers returns the resolvers of the system; this machine without any (resolv.conf(5)).
func systemServers(path string) []string {
	var servers []string
	if f, err := os.Open(path); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan() && len(servers) < maxServers; {
			fields := strings.Fields(lines.Text())
			if len(fields) < 2 || fields[0] != "nameserver" {
				continue
			}
			if ip, err := netip.ParseAddr(fields[1]); err == nil {
				servers = append(servers, netip.AddrPortFrom(ip, dnsPort).String())
			}
		}
	}
	if len(servers) == 0 {
		servers = []string{netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), dnsPort).String()}
	}
	return servers
}

const (
	maxServers = 3
	dnsPort    = 53
)
