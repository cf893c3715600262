//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// memory checks how much memory linkmilter takes while many connections send 10 MB each at
// once, after a few messages of that size filled its pools.
func (r *run) memory() {
	l := startLinkmilter(r, r.binary, "")
	random := rand.New(rand.NewPCG(r.seed, 0))
	var mails stream
	for _, kind := range []traffic.Kind{traffic.Plain, traffic.HTML, traffic.Linked, traffic.Plain, traffic.Hostile} {
		composed := traffic.Compose(kind, largest, random)
		mails = append(mails, newMail(kindNames[kind], author, addressee, composed.Trusted, composed.Raw))
	}
	s := l.milter(l.unix, mails)
	// Where memory is short linkmilter reads the beginning and lets the message go on.
	s.connect = newMilter(l.unix, mails, func(m *mail, changes []change, final byte) error {
		if final == accept && keepsBody(m, changes, final) == nil {
			return nil
		}
		return l.oracle.judge(m, changes, final)
	}).connect
	if err := s.connections(r.many); err != nil {
		r.Fatal(err)
	}
	defer s.closeAll()
	if err := s.turn(flatOut(0, r.many, 0).modulo(len(mails))); err != nil {
		r.Fatal(err)
	}
	printTable(r.out, fmt.Sprintf("%d connections, 10 MB each", r.many), []*server{s})
	const more = 64 << 20
	bound := 2*mailserver.DefaultMemory + more
	r.judge(fmt.Sprintf("%d connections of 10 MB, memory as a share of twice limits.memory and 64 MiB", r.many), float64(s.memory.resident)/float64(bound), atMost(1))
}
