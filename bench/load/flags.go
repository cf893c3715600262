//go:build linux

package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// flagsOf returns the flags, which fill the options. peers is a list with commas.
func flagsOf(o *options, peers *string) *flag.FlagSet {
	f := flag.NewFlagSet("load", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.binary, "linkmilter", "", "measure this `program`; empty: build it from the sources")
	f.StringVar(peers, "peers", strings.Join(peerNames, ","), "`names` of the milters to compare with")
	f.Uint64Var(&o.seed, "seed", 1, "`number` that chooses the mixed mail")
	f.IntVar(&o.messages, "messages", 500, "`number` of different messages in the mixed mail")
	f.IntVar(&o.connections, "connections", 4, "`number` of connections to each server")
	f.IntVar(&o.turns, "turns", 10, "`number` of turns of each server")
	f.DurationVar(&o.turn, "turn", time.Second, "`time` of a turn, at least")
	f.Float64Var(&o.rate, "rate", 0, "`messages` a second of mixed mail; 0: as fast as each server takes them")
	f.IntVar(&o.many, "senders", 200, "`number` of connections that send 10 MB each (memory)")
	f.DurationVar(&o.growing, "time", 15*time.Minute, "`time` in which memory must not grow (growth)")
	f.Float64Var(&o.growingRate, "growth-rate", 100, "`messages` a second meanwhile (growth)")
	return f
}

// parse reads the arguments: flags, then the names of measurements. The error is
// flag.ErrHelp where help was asked for.
func parse(args []string) (options, []part, error) {
	o := options{largest: largest}
	var peers string
	f := flagsOf(&o, &peers)
	if err := f.Parse(args); err != nil {
		return o, nil, err
	}
	if err := o.check(); err != nil {
		return o, nil, err
	}
	for name := range strings.FieldsFuncSeq(peers, func(r rune) bool { return r == ',' }) {
		if !slices.Contains(peerNames, name) {
			return o, nil, fmt.Errorf("-peers: unknown peer %q (want some of %s)", name, strings.Join(peerNames, ","))
		}
		o.peers = append(o.peers, name)
	}
	chosen, err := choose(f.Args())
	return o, chosen, err
}

// check refuses numbers with which nothing would be measured.
func (o *options) check() error {
	for name, n := range map[string]float64{
		"messages": float64(o.messages), "connections": float64(o.connections), "turns": float64(o.turns), "turn": o.turn.Seconds(),
		"senders": float64(o.many), "time": o.growing.Seconds(), "growth-rate": o.growingRate,
	} {
		if n <= 0 {
			return fmt.Errorf("-%s %g: not positive", name, n)
		}
	}
	if o.rate < 0 {
		return fmt.Errorf("-rate %g: negative", o.rate)
	}
	return nil
}

// choose returns the measurements of these names; without names all.
func choose(names []string) ([]part, error) {
	if len(names) == 0 {
		return parts(), nil
	}
	var chosen []part
	for _, name := range names {
		i := slices.IndexFunc(parts(), func(p part) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown measurement %q (flags go before the names of measurements)", name)
		}
		chosen = append(chosen, parts()[i])
	}
	return chosen, nil
}

// usage writes the help.
func usage(out io.Writer) {
	fmt.Fprint(out, `Puts linkmilter under load and compares it with other milters: one that does
nothing (noop), Debian's OpenDKIM (opendkim-sign, opendkim-verify) and Rspamd
(rspamd, without DNS). Programs get the same messages in turns, and each reply and
each message that comes out is checked.

    go run ./load [flags] [MEASUREMENT...]

Measurements, all by default:
`)
	for _, p := range parts() {
		fmt.Fprintf(out, "  %-8s %s\n", p.name, p.about)
	}
	fmt.Fprint(out, `
Latencies at a rate begin when a message is due, also if the client is late.
Each ratio has its limit beside it. Exit status: 0 if all ratios hold, 1 if one does
not, 2 after a wrong reply or another failure.

Rspamd has to be installed; the other programs are fetched with apt-get and
unpacked, which takes root.

Flags:
`)
	var o options
	var peers string
	f := flagsOf(&o, &peers)
	f.SetOutput(out)
	f.PrintDefaults()
	fmt.Fprint(out, `
Examples:
  go run ./load speed latency
  go run ./load -rate 200 -turn 5s mixed
  go run ./load -peers noop -linkmilter ../bin/linkmilter mixed speed
  go run ./load -time 5m growth
`)
}
