//go:build linux

package main

import "fmt"

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
	r.inTurns([]*server{peak}, len(mails), func() source { return flatOut(0, len(mails), r.turn) })
	rate := peak.rate() / 2
	ours := l.milter(l.unix, mails)
	noop := peer{peerNoop, program, address}.server(mails, untouched)
	servers := []*server{ours, noop}
	r.inTurns(servers, len(mails), func() source { return paced(0, len(mails), rate, r.turn) })
	printTable(r.out, "10 KB with links, at half of linkmilter's peak", servers)
	// Others on the machine disturb some turns.
	ratio := median(ours.p99s) / median(noop.p99s)
	if r.busy {
		fmt.Fprintf(r.out, "\np99, median of the turns, as a multiple of the no-op milter's: %.2f (not judged)\n", ratio)
		return
	}
	r.judge("10 KB with links at half of the peak: p99, median of the turns, as a multiple of the no-op milter's", ratio, atMost(4))
}
