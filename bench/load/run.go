//go:build linux

package main

import (
	"fmt"
	"io"
	"testing"
	"time"
)

// options choose the measurements and their sizes.
type options struct {
	binary      string        // linkmilter
	peers       []string      // names in peerNames
	seed        uint64        // of the mixed corpus
	messages    int           // of the mixed corpus
	largest     float64       // bytes of the largest of them
	connections int           // of each server
	turns       int           // of each server
	turn        time.Duration // of one
	rate        float64       // messages a second of the mixed corpus; 0: flat out
	many        int           // connections that send 10 MB each
	growing     time.Duration // how long memory must not grow
	growingRate float64       // messages a second
	busy        bool          // other programs may run: compare processor times, with room
}

// A run measures and judges.
type run struct {
	options
	testing.TB
	out      io.Writer
	verdicts []verdict
	key      *signingKey // of the peers that sign or verify
	started  []peer
}

// judge adds a ratio with its limit to the verdicts.
func (r *run) judge(what string, ratio float64, l limit) {
	v := verdict{what, ratio, l}
	r.verdicts = append(r.verdicts, v)
	fmt.Fprintf(r.out, "\n%s\n", v)
}

// held reports whether all ratios are within their limits.
func (r *run) held() bool {
	for _, v := range r.verdicts {
		if !v.limit.holds(v.ratio) {
			return false
		}
	}
	return true
}

// inTurns sends messages to the servers in turns; next returns the source of the messages of a
// turn. Before, each server gets all messages once, so that its caches and pools are full.
func (r *run) inTurns(servers []*server, turns, messages int, next func() source) {
	r.Helper()
	for _, s := range servers {
		if err := s.connections(1); err != nil {
			r.Fatalf("%s: %v", s.name, err)
		}
		if err := s.turn(flatOut(0, messages, 0)); err != nil {
			r.Fatalf("%s: %v", s.name, err)
		}
		s.taken = taken{}
		if err := s.connections(r.connections); err != nil {
			r.Fatalf("%s: %v", s.name, err)
		}
		defer s.closeAll()
	}
	for range turns {
		for _, s := range servers {
			if err := s.turn(next()); err != nil {
				r.Fatalf("%s: %v", s.name, err)
			}
			if s.program != nil {
				if err := s.program.emptyLog(); err != nil {
					r.Fatal(err)
				}
			}
		}
	}
}
