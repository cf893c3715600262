package milter

import (
	"fmt"
	"net"
	"testing"

	"github.com/emersion/go-message/textproto"
	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// A versioned dials connections whose client offers another protocol version than
// go-milter's, and notes the version in the reply.
type versioned struct {
	offered byte
	replied byte
}

func (v *versioned) Dial(network, address string) (net.Conn, error) {
	c, err := net.Dial(network, address)
	return &versionedConn{Conn: c, versioned: v}, err
}

// versionByte is the offset of the last byte of the version in an OPTNEG packet, after
// the length and the command.
const versionByte = 8

// versionedConn is a connection of a versioned.
type versionedConn struct {
	net.Conn
	*versioned
	written, read int // bytes so far
}

func (c *versionedConn) Write(p []byte) (int, error) {
	sent := append([]byte(nil), p...)
	if i := versionByte - c.written; 0 <= i && i < len(sent) {
		sent[i] = c.offered
	}
	n, err := c.Conn.Write(sent)
	c.written += n
	return n, err
}

func (c *versionedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if i := versionByte - c.read; 0 <= i && i < n {
		c.replied = p[i]
	}
	c.read += n
	return n, err
}

// TestVersion: the reply to the offer has the lower of version 6 and the client's, and
// go-milter's client takes it. That client takes a lower version than its own, 6, only
// where it offers no newer options.
func TestVersion(t *testing.T) {
	for _, test := range []struct {
		offered, want byte
		actions       gomilter.OptAction
		protocol      gomilter.OptProtocol
	}{
		{2, 2, 0x3f, 0},
		{2, 2, 0x3f, 0x7f},
		{4, 4, 0x3f, 0x7f},
		{6, 6, 0x3f, 0x7f},
		{6, 6, allActions, benchProtocol},
		{7, 6, 0x3f, 0x7f},
		{7, 6, allActions, benchProtocol},
	} {
		t.Run(fmt.Sprintf("%d offered with %x", test.offered, test.protocol), func(t *testing.T) {
			f, err := filter.New(filter.Options{Rules: []rule.Rule{{Name: "all", HTML: rule.HTMLAlways}}})
			if err != nil {
				t.Fatal(err)
			}
			dialer := &versioned{offered: test.offered}
			client := gomilter.NewClientWithOptions("unix", startUnix(t, Options{Options: mailserver.Options{Filter: f}}), gomilter.ClientOptions{
				Dialer: dialer, ActionMask: test.actions, ProtocolMask: test.protocol,
			})
			session, err := open(client)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if dialer.replied != test.want {
				t.Errorf("replied version %d, want %d", dialer.replied, test.want)
			}
			for range 2 {
				var header textproto.Header
				header.Add("Subject", "x")
				changes, last, err := deliver(session, header, []byte("See https://example.com/\r\n"))
				if err != nil || last.Code != gomilter.ActAccept {
					t.Fatal(last, err)
				}
				if len(changes) == 0 {
					t.Error("the message was not edited")
				}
			}
		})
	}
}

// TestVersionTooLow: an MTA with a version before 2 gets no reply.
func TestVersionTooLow(t *testing.T) {
	dialer := &versioned{offered: 1}
	client := gomilter.NewClientWithOptions("unix", startUnix(t, Options{Options: mailserver.Options{Filter: &seen{}}}), gomilter.ClientOptions{Dialer: dialer})
	if _, err := client.Session(); err == nil || dialer.replied != 0 {
		t.Errorf("replied version %d, error %v", dialer.replied, err)
	}
}
