//go:build linux

package main

import "fmt"

// mixed sends the mixed corpus to linkmilter by each protocol, and to each peer.
func (r *run) mixed() {
	hop := startNextHop(r)
	l := startLinkmilter(r, r.binary, hop.address)
	mails := mixed(r.seed, r.messages, r.largest)
	hop.expect(mails, l.oracle)
	unix, tcp := l.milter(l.unix, mails), l.milter(l.tcp, mails)
	unix.name, tcp.name = "linkmilter, milter, Unix socket", "linkmilter, milter, TCP"
	smtp := &server{name: "linkmilter, SMTP", program: l.program, connect: newSMTPServer(l.smtp, mails, true).connect}
	servers := []*server{unix, tcp, smtp}
	_, peers := r.startPeers()
	for _, p := range peers {
		j := judge(keepsBody)
		if p.name == peerNoop {
			j = untouched
		}
		servers = append(servers, p.server(mails, j))
	}
	next := func() source { return flatOut(0, len(mails), r.turn) }
	title := "mixed mail, flat out"
	if r.rate > 0 {
		next = func() source { return paced(0, len(mails), r.rate, r.turn) }
		title = fmt.Sprintf("mixed mail, %g messages/s", r.rate)
	}
	r.inTurns(servers, r.turns, len(mails), next)
	printTable(r.out, title, servers)
	r.arrived(hop, smtp.sent+len(mails))
}

// arrived checks that as many messages came to the next hop as were sent, and that each is as
// the filter makes it.
func (r *run) arrived(hop *nextHop, sent int) {
	taken, err := hop.took()
	if err != nil {
		r.Error(err)
	}
	if taken != sent {
		r.Errorf("%d messages arrived by SMTP, %d were sent", taken, sent)
	}
}
