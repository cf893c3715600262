//go:build linux

package main

import (
	"fmt"
	"slices"
)

// latency compares the 99th percentiles of linkmilter and of the milter that does nothing,
// both at half of the rate that linkmilter reaches.
func (r *run) latency() {
	l := startLinkmilter(r, r.binary, "")
	program, address := startNoop(r)
	var mails stream
	for n := range newLinks {
		mails = append(mails, linked(author, n))
	}
	peak := l.milter(l.unix, mails)
	r.inTurns([]*server{peak}, r.turns, len(mails), func() source { return flatOut(0, len(mails), r.turn) })
	rate := peak.rate() / 2
	ours := l.milter(l.unix, mails)
	noop := peer{peerNoop, program, address}.server(mails, untouched)
	servers := []*server{ours, noop}
	r.inTurns(servers, r.turns*shorter, len(mails), func() source { return paced(0, len(mails), rate, r.turn/shorter) })
	printTable(r.out, "10 KB with links, at half of linkmilter's peak", servers)
	ratio := slices.Min(ours.p99s) / slices.Min(noop.p99s)
	if r.busy {
		fmt.Fprintf(r.out, "\np99 of the least disturbed turn, as a multiple of the no-op milter's: %.2f (not judged)\n", ratio)
		return
	}
	r.judge("10 KB with links at half of the peak: p99 of the least disturbed turn, as a multiple of the no-op milter's", ratio, atMost(4))
}

// shorter is by how much these turns are shorter than others, and how many more there are. Messages
// wait while other programs use the processors, so some short turns are less disturbed.
const shorter = 4
