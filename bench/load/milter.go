//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// patience is how long a reply may take.
const patience = 2 * time.Minute

// A stream is what all servers of a measurement get.
type stream []*mail

// A milter is how the harness reaches a milter with a stream, over any number of
// connections.
type milter struct {
	network, address string
	mails            stream
	judge            judge

	mu       sync.Mutex
	protocol uint32
	packets  [][]step // by message
	verified [][]byte // replies that the judge let pass, by message
}

// newMilter returns the milter at an address: unix:/PATH or HOST:PORT.
func newMilter(address string, mails stream, judge judge) *milter {
	m := &milter{network: "tcp", address: address, mails: mails, judge: judge}
	if path, isUnix := strings.CutPrefix(address, "unix:"); isUnix {
		m.network, m.address = "unix", path
	}
	m.packets, m.verified = make([][]step, len(mails)), make([][]byte, len(mails))
	return m
}

// A connection is one of a mail server's to a milter.
type connection struct {
	milter   *milter
	conn     net.Conn
	in       *bufio.Reader
	protocol uint32
	reply    []byte
}

// connect opens a connection and negotiates.
func (m *milter) connect() (sender, error) {
	conn, err := net.DialTimeout(m.network, m.address, patience)
	if err != nil {
		return nil, err
	}
	c := &connection{milter: m, conn: conn, in: bufio.NewReaderSize(conn, 1<<16)}
	if err := c.open(); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: %w", m.address, err)
	}
	return c, nil
}

// open negotiates and names the client.
func (c *connection) open() error {
	var w writer
	offer := binary.BigEndian.AppendUint32(nil, version)
	offer = binary.BigEndian.AppendUint32(offer, allActions)
	offer = binary.BigEndian.AppendUint32(offer, allSteps)
	w.packet('O', string(offer))
	if _, err := c.conn.Write(w.open); err != nil {
		return err
	}
	answer, code, err := readPacket(c.in, nil)
	if err != nil {
		return err
	}
	if code != 'O' || len(answer) < 17 {
		return fmt.Errorf("negotiation: reply %q", code)
	}
	c.protocol = binary.BigEndian.Uint32(answer[13:])
	for _, s := range hello(c.protocol) {
		if _, err := c.conn.Write(s.data); err != nil || !s.replied {
			return err
		}
		if _, code, err := readPacket(c.in, nil); err != nil || code != goOn {
			return fmt.Errorf("hello: reply %q: %w", code, err)
		}
	}
	return nil
}

// of returns the packets of a message for a negotiated protocol.
func (m *milter) of(i int, protocol uint32) []step {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.packets[i] == nil || m.protocol != protocol {
		m.protocol, m.packets[i] = protocol, m.mails[i].packets(protocol)
	}
	return m.packets[i]
}

// send hands over message i and checks the reply.
func (c *connection) send(i int) error {
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	steps := c.milter.of(i, c.protocol)
	for n := 0; n < len(steps); n++ {
		if _, err := c.conn.Write(steps[n].data); err != nil {
			return err
		}
		c.reply = c.reply[:0]
		code, err := c.answer()
		if err != nil {
			return fmt.Errorf("reply to step %d of %d: %w", n+1, len(steps), err)
		}
		if code == skip {
			n = len(steps) - 2 // the end of the message follows
		} else if code != goOn {
			break // the message has its final reply
		}
	}
	return c.milter.check(i, c.reply)
}

// answer reads a reply, with the changes before it.
func (c *connection) answer() (code byte, err error) {
	for {
		c.reply, code, err = readPacket(c.in, c.reply)
		if err != nil {
			return 0, err
		}
		switch code {
		case addHeader, insertHeader, changeHeader, replaceBody, quarantine:
		case 'p': // the milter asks for more time
			c.reply = c.reply[:len(c.reply)-5]
		default:
			return code, nil
		}
	}
}

// check lets a reply pass that the message had before; the judge sees others.
func (m *milter) check(i int, reply []byte) error {
	m.mu.Lock()
	known := m.verified[i]
	m.mu.Unlock()
	if known != nil && bytes.Equal(known, reply) {
		return nil
	}
	changes, final, err := parseReply(reply)
	if err == nil {
		err = m.judge(m.mails[i], changes, final)
	}
	if err != nil {
		return fmt.Errorf("message %d (%s): %w", i, m.mails[i].kind, err)
	}
	m.mu.Lock()
	m.verified[i] = bytes.Clone(reply)
	m.mu.Unlock()
	return nil
}

func (c *connection) close() { _ = c.conn.Close() }
