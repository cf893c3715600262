//go:build linux

package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/e2e"
)

// throughPostfix is how many messages go through each port of Postfix.
const throughPostfix = 300

// postfix measures how long Postfix takes for a message of 10 KB with links, from MAIL to the
// reply to the content: without a milter, with the one that does nothing and with linkmilter.
func (r *run) postfix() {
	l := startLinkmilter(r, r.binary, "")
	_, noop := startNoop(r)
	listeners := []e2e.Listener{
		{Name: "alone"},
		{Name: "with the no-op milter", Milter: noop},
		{Name: "with linkmilter", Milter: l.unix},
		{Name: "with linkmilter over TCP", Milter: "inet:" + l.tcp},
	}
	postfix := e2e.StartPostfix(r, listeners...)
	mails := make(stream, min(throughPostfix, r.messages))
	for n := range mails {
		mails[n] = linked(author, n)
	}
	var servers []*server
	recipients := make([][]string, len(listeners))
	for p, listener := range listeners {
		for range mails {
			recipients[p] = append(recipients[p], postfix.NewAddress(r))
		}
		port := newSMTPServer(postfix.Addr(listener.Name), mails, false)
		port.recipient = func(i int) string { return recipients[p][i] }
		s := &server{name: listener.Name, connect: port.connect}
		if err := s.connections(1); err != nil {
			r.Fatalf("%s: %v", s.name, err)
		}
		defer s.closeAll()
		servers = append(servers, s)
	}
	for i := range mails {
		for _, s := range servers {
			if err := s.turn(flatOut(i, i+1, 0)); err != nil {
				r.Fatalf("%s: %v", s.name, err)
			}
		}
	}
	printTable(r.out, "10 KB with links through Postfix, in turns", servers)
	const half = 0.5
	median := func(s *server) time.Duration { return s.latencies.percentiles(half)[0] }
	for _, s := range servers[1:] {
		fmt.Fprintf(r.out, "\nPostfix %s: %s more than alone (p50)\n", s.name, milliseconds(median(s)-median(servers[0])))
	}
	for p := range listeners {
		for i, m := range mails {
			want := m.body
			if strings.Contains(listeners[p].Name, l.name) {
				edited, _ := l.oracle.result(m)
				want = edited[bytes.Index(edited, []byte("\r\n\r\n"))+len("\r\n\r\n"):]
			}
			got := postfix.Receive(r, "", recipients[p][i])
			if _, body, found := bytes.Cut(got, []byte("\n\n")); !found || same(want, body) != nil {
				r.Errorf("message %d, %s: %v", i, listeners[p].Name, same(want, body))
			}
		}
	}
}
