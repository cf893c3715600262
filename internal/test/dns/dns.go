// Package dns is a DNS server for tests: it knows the TXT records it is
// given and no others.
package dns

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// Serve answers queries on 127.0.0.1, over UDP and TCP, until the test ends, and
// returns the address: "127.0.0.1:PORT". records are TXT records by name; case
// and a dot at the end do not matter. Any other name does not exist.
func Serve(tb testing.TB, records map[string]string) string {
	tb.Helper()
	z := make(zone, len(records))
	for name, text := range records {
		z[canonical(name)] = text
	}
	streams, packets := listen(tb)
	tb.Cleanup(func() {
		streams.Close()
		packets.Close()
	})
	go z.servePackets(packets)
	go z.serveStreams(streams)
	return streams.Addr().String()
}

// listen opens one port for both protocols.
func listen(tb testing.TB) (net.Listener, net.PacketConn) {
	tb.Helper()
	for range 100 {
		streams, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		packets, err := net.ListenPacket("udp", streams.Addr().String())
		if err == nil {
			return streams, packets
		}
		streams.Close() // the other protocol's port is taken
	}
	tb.Fatal("no port of 127.0.0.1 is free for both UDP and TCP")
	return nil, nil
}

// zone is the text of the TXT record of each name.
type zone map[string]string

func canonical(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

func (z zone) servePackets(conn net.PacketConn) {
	query := make([]byte, 64<<10)
	for {
		n, from, err := conn.ReadFrom(query)
		if err != nil {
			return // closed
		}
		if reply := z.answer(query[:n]); reply != nil {
			_, _ = conn.WriteTo(reply, from)
		}
	}
}

func (z zone) serveStreams(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return // closed
		}
		go z.serveStream(conn)
	}
}

// serveStream answers queries, each with its length in front (RFC 1035 §4.2.2).
func (z zone) serveStream(conn net.Conn) {
	defer conn.Close()
	for {
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		reply := z.answer(query)
		if reply == nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

// maxString is how many bytes a string of a TXT record holds (RFC 1035 §3.3).
const maxString = 255

// answer returns the reply to a query, or nil for other bytes.
func (z zone) answer(query []byte) []byte {
	var p dnsmessage.Parser
	header, err := p.Start(query)
	if err != nil || header.Response {
		return nil
	}
	question, err := p.Question()
	if err != nil {
		return nil
	}
	reply := dnsmessage.Message{
		Header: dnsmessage.Header{
			ID: header.ID, Response: true, Authoritative: true,
			RecursionDesired: header.RecursionDesired, RecursionAvailable: true,
		},
		Questions: []dnsmessage.Question{question},
	}
	text, known := z[canonical(question.Name.String())]
	switch {
	case !known:
		reply.RCode = dnsmessage.RCodeNameError
	case question.Type == dnsmessage.TypeTXT:
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: question.Name, Type: dnsmessage.TypeTXT, Class: question.Class, TTL: 60},
			Body:   &dnsmessage.TXTResource{TXT: split(text)},
		}}
	}
	packed, err := reply.Pack()
	if err != nil {
		return nil
	}
	return packed
}

// split cuts a text into the strings of a record.
func split(text string) []string {
	var list []string
	for len(text) > maxString {
		list, text = append(list, text[:maxString]), text[maxString:]
	}
	return append(list, text)
}
