//go:build linux

package main

import (
	"fmt"
	"strconv"
)

// cores compares the processor time of a message by one thread of Go with that by more, each with two
// connections. Sixteen threads on fewer cores contend for locks as on sixteen: a thread that loses its
// core while it holds a lock makes others wait. What a message then costs more is what locks, the
// scheduler and the collection of garbage do not share out.
func (r *run) cores() {
	var mails stream
	for n := range newLinks {
		mails = append(mails, linked(author, n))
	}
	var servers []*server
	connections := r.connections
	for _, threads := range []int{1, 2, 16} {
		l := startLinkmilter(r, r.binary, "", "GOMAXPROCS="+strconv.Itoa(threads))
		s := l.milter(l.unix, mails)
		s.name = fmt.Sprintf("linkmilter, %d threads", threads)
		servers = append(servers, s)
		r.connections = 2 * threads
		if err := s.connections(r.connections); err != nil {
			r.Fatal(err)
		}
	}
	r.connections = 2
	r.inTurns(servers, r.turns, len(mails), func() source { return flatOut(0, len(mails), r.turn) })
	r.connections = connections
	printTable(r.out, "10 KB edited", servers)
	for _, s := range servers[1:] {
		if r.busy {
			continue // too short a time
		}
		r.judge(s.name+": processor time of a message as a multiple of one thread's", float64(s.cost())/float64(servers[0].cost()), atMost(1.5))
	}
}

// idle checks how much memory open connections take that send nothing.
func (r *run) idle() {
	const open = 1000
	l := startLinkmilter(r, r.binary, "")
	s := l.milter(l.unix, stream{plain(small)})
	if err := s.connections(1); err != nil {
		r.Fatal(err)
	}
	before, err := l.program.memory()
	if err != nil {
		r.Fatal(err)
	}
	if err := s.connections(open - 1); err != nil { // await has the last one
		r.Fatal(err)
	}
	after, err := l.program.memory()
	s.closeAll()
	if err != nil {
		r.Fatal(err)
	}
	each := float64(after.resident-before.resident) / (open - 1)
	fmt.Fprintf(r.out, "\n%d connections without mail: %.1f MB, %.1f KB each\n", open, float64(after.resident)/1e6, each/1e3)
	const most = 64e3
	r.judge("memory of an open connection as a share of 64 KB", each/most, atMost(1))
}
