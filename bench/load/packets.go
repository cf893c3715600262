//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// What the mail server offers to a milter: all actions and all steps of version 6.
const (
	version    = 6
	allActions = 0x1ff
	allSteps   = 0x1fffff
)

// Steps of the protocol that a milter may leave out (no…) or not answer (silent…).
const (
	noConnect     = 1 << 0
	noHelo        = 1 << 1
	noMail        = 1 << 2
	noRcpt        = 1 << 3
	noBody        = 1 << 4
	noHeaders     = 1 << 5
	noEndOfHeader = 1 << 6
	silentHeader  = 1 << 7
	noData        = 1 << 9
	silentConnect = 1 << 12
	silentHelo    = 1 << 13
	silentMail    = 1 << 14
	silentRcpt    = 1 << 15
	silentData    = 1 << 16
	silentEnd     = 1 << 18
	silentBody    = 1 << 19
	leadingSpace  = 1 << 20
)

// maxChunk is the size of a body packet in bytes.
const maxChunk = 65535

// A step is what the mail server sends before it waits for a reply. Only the last step of
// what opens a connection may have no reply.
type step struct {
	data    []byte
	replied bool
}

// A writer collects the steps of an exchange.
type writer struct {
	protocol uint32
	steps    []step
	open     []byte
}

// packet adds a packet to the open step.
func (w *writer) packet(code byte, data ...string) {
	text := strings.Join(data, "")
	w.open = append(append(binary.BigEndian.AppendUint32(w.open, uint32(len(text)+1)), code), text...)
}

// macros adds the macros of a command.
func (w *writer) macros(code byte, pairs ...string) {
	w.packet('D', string(code), strings.Join(pairs, "\x00"), "\x00")
}

// command adds a command and waits for its reply. It leaves out a command that the milter
// does not want, and does not wait where the milter sends no reply.
func (w *writer) command(without, silent uint32, code byte, data ...string) {
	if w.protocol&without != 0 {
		return
	}
	w.packet(code, data...)
	if w.protocol&silent == 0 {
		w.wait()
	}
}

// wait ends a step.
func (w *writer) wait() { w.steps, w.open = append(w.steps, step{w.open, true}), nil }

// The names of the mail server and of the client that hands it the mail.
const (
	serverName    = "mx.example.test"
	clientName    = "client.example.net"
	clientAddress = "192.0.2.7"
	queueID       = "4Xq1yz0000z1"
)

// hello returns the steps that open a connection on behalf of a client.
func hello(protocol uint32) []step {
	w := writer{protocol: protocol}
	w.macros('C', "j", serverName, "{daemon_name}", serverName, "v", "Postfix 3.7.11", "{client_addr}", clientAddress)
	w.command(noConnect, silentConnect, 'C', clientName, "\x004\x30\x39", clientAddress, "\x00")
	w.command(noHelo, silentHelo, 'H', clientName, "\x00")
	if len(w.open) > 0 {
		w.steps = append(w.steps, step{w.open, false})
	}
	return w.steps
}

// packets returns the steps that hand over the message. The last one ends with the end of
// the message.
func (m *mail) packets(protocol uint32) []step {
	w := writer{protocol: protocol}
	w.packet('A') // ends the message before
	w.macros('M', append([]string{"i", queueID, "{mail_addr}", m.sender}, m.loginMacros()...)...)
	w.command(noMail, silentMail, 'M', "<", m.sender, ">\x00BODY=8BITMIME\x00")
	w.macros('R', "{rcpt_addr}", m.recipient)
	w.command(noRcpt, silentRcpt, 'R', "<", m.recipient, ">\x00")
	w.command(noData, silentData, 'T')
	for _, f := range m.fields {
		value := strings.ReplaceAll(f.value, "\r\n", "\n")
		if protocol&leadingSpace == 0 {
			value = strings.TrimPrefix(value, " ")
		}
		w.command(noHeaders, silentHeader, 'L', f.name, "\x00", value, "\x00")
	}
	w.command(noEndOfHeader, silentEnd, 'N')
	for body := m.body; len(body) > 0; {
		n := min(maxChunk, len(body))
		w.command(noBody, silentBody, 'B', string(body[:n]))
		body = body[n:]
	}
	w.macros('E', "i", queueID)
	w.packet('E')
	w.wait()
	return w.steps
}

func (m *mail) loginMacros() []string {
	if !m.login {
		return nil
	}
	return []string{"{auth_type}", "PLAIN", "{auth_authen}", m.sender}
}

// maxPacket is the size of the largest packet that a milter may send, in bytes.
const maxPacket = 1 << 20

// readPacket reads a packet and appends it to dst.
func readPacket(r io.Reader, dst []byte) (all []byte, code byte, err error) {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	if _, err := io.ReadFull(r, dst[start:]); err != nil {
		return dst, 0, err
	}
	size := int(binary.BigEndian.Uint32(dst[start:]))
	if size < 1 || size > maxPacket {
		return dst, 0, fmt.Errorf("packet of %d bytes", size)
	}
	data := len(dst)
	dst = append(dst, make([]byte, size)...)
	_, err = io.ReadFull(r, dst[data:])
	return dst, dst[data], err
}

// parseReply reads the packets that answer the end of a message.
func parseReply(reply []byte) (changes []change, final byte, err error) {
	for r := bytes.NewReader(reply); r.Len() > 0; {
		packet, code, err := readPacket(r, nil)
		if err != nil {
			return nil, 0, err
		}
		data := packet[5:]
		c := change{code: code}
		switch code {
		case replaceBody:
			c.body = data
		case insertHeader, changeHeader:
			if len(data) < 4 {
				return nil, 0, errors.New("header change without a position")
			}
			c.index = int(binary.BigEndian.Uint32(data))
			data = data[4:]
			fallthrough
		case addHeader:
			name, value, _ := strings.Cut(strings.TrimSuffix(string(data), "\x00"), "\x00")
			c.name, c.value = name, value
		case quarantine:
		default:
			final = code
			continue
		}
		changes = append(changes, c)
	}
	return changes, final, nil
}
