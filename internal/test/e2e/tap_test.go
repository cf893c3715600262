//go:build linux

package e2e

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// The commands of a mail server to a milter that tests wait for.
const (
	milterBody      = 'B' // a chunk of the body
	milterEndOfBody = 'E'
)

// Replies of a milter.
const (
	replyChangeHeader = 'm'
	replyReplaceBody  = 'b'
)

// A tap stands between a mail server and linkmilter and sees every packet, so that a test can break
// something at a certain point of a message.
type tap struct {
	listener net.Listener

	mu     sync.Mutex
	target string          // where linkmilter listens, "127.0.0.1:PORT"
	before map[byte]func() // called once, before a packet of that command is passed on
	cut    byte            // after a reply of this kind, the connection ends; 0: never
}

// newTap returns a tap that is not connected to linkmilter yet.
func newTap(t *testing.T) *tap {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	tapped := &tap{listener: l, before: map[byte]func(){}}
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			connections.Go(func() { tapped.relay(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		connections.Wait()
	})
	return tapped
}

// Addr returns the address of the tap for a Listener.
func (p *tap) Addr() string { return "inet:" + p.listener.Addr().String() }

// Connect sets at which address, "inet:127.0.0.1:PORT", linkmilter listens,
// for connections from now on.
func (p *tap) Connect(milter string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = strings.TrimPrefix(milter, "inet:")
}

// Before arranges that hook runs once, before the next packet of a command
// is passed on to linkmilter.
func (p *tap) Before(command byte, hook func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before[command] = hook
}

// relay passes on one connection until either side ends it.
func (p *tap) relay(server net.Conn) {
	defer server.Close()
	p.mu.Lock()
	target := p.target
	p.mu.Unlock()
	milter, err := net.Dial("tcp", target)
	if err != nil {
		return // as if nothing listened
	}
	var replies sync.WaitGroup
	replies.Go(func() {
		p.relayReplies(server, milter)
		milter.Close()
		server.Close()
	})
	for {
		packet, err := readPacket(server)
		if err != nil {
			break
		}
		p.run(packet[4])
		if _, err := milter.Write(packet); err != nil {
			break
		}
	}
	milter.Close()
	replies.Wait()
}

// relayReplies passes on what linkmilter says.
func (p *tap) relayReplies(server, milter net.Conn) {
	for {
		packet, err := readPacket(milter)
		if err != nil {
			return
		}
		if _, err := server.Write(packet); err != nil || p.cutsAfter(packet[4]) {
			return
		}
	}
}

// Cut ends the connection, once, after a reply of that kind was passed on.
func (p *tap) Cut(reply byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = reply
}

func (p *tap) cutsAfter(reply byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reply != p.cut {
		return false
	}
	p.cut = 0
	return true
}

func (p *tap) run(command byte) {
	p.mu.Lock()
	hook := p.before[command]
	delete(p.before, command)
	p.mu.Unlock()
	if hook != nil {
		hook()
	}
}

// readPacket reads one packet of the milter protocol whole: four bytes of
// length, then a command and its data.
func readPacket(r io.Reader) ([]byte, error) {
	packet := make([]byte, 4)
	if _, err := io.ReadFull(r, packet); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(packet)
	if size == 0 {
		return nil, errors.New("empty packet")
	}
	packet = append(packet, make([]byte, size)...)
	_, err := io.ReadFull(r, packet[4:])
	return packet, err
}
