//go:build linux

package main

import (
	"testing"
	"time"
)

// stalling is a sender to a server that stalls once.
type stalling struct{ stall time.Duration }

func (s *stalling) send(int) error {
	time.Sleep(s.stall)
	s.stall = 0
	return nil
}

func (*stalling) close() {}

// TestLatencyFromDueTime: messages that were due while the server stalled were late, although
// they were sent only afterwards.
func TestLatencyFromDueTime(t *testing.T) {
	const rate, stall, all = 100, 300 * time.Millisecond, 500 * time.Millisecond
	s := server{open: []sender{&stalling{stall}}}
	if err := s.turn(paced(0, 1, rate, all)); err != nil {
		t.Fatal(err)
	}
	if want := int(rate * all.Seconds()); s.sent != want {
		t.Errorf("%d messages sent, want %d", s.sent, want)
	}
	late := 0
	for _, l := range s.latencies {
		if l > stall/2 {
			late++
		}
	}
	if want := int(rate * stall.Seconds() / 2); late < want {
		t.Errorf("%d messages were late by more than half of the stall, want %d", late, want)
	}
}

// TestFlatOutSendsWholeBatches: each server gets the same messages, however fast it is.
func TestFlatOutSendsWholeBatches(t *testing.T) {
	const batch = 7
	for _, duration := range []time.Duration{0, 5 * time.Millisecond} {
		sent := make([]int, batch)
		for next := flatOut(0, batch, duration); ; {
			i, _, more := next()
			if !more {
				break
			}
			sent[i]++
		}
		for i, n := range sent {
			if n == 0 || n != sent[0] {
				t.Errorf("%v: message %d was sent %d times, message 0 %d times", duration, i, n, sent[0])
			}
		}
	}
}

func TestPercentiles(t *testing.T) {
	var l latencies
	for i := range 1000 {
		l = append(l, time.Duration(1000-i))
	}
	for i, got := range l.percentiles(0, 0.5, 0.99, 1) {
		if want := []time.Duration{1, 500, 990, 1000}[i]; got != want {
			t.Errorf("percentile %d: %d, want %d", i, got, want)
		}
	}
	if got := latencies(nil).percentiles(0.5)[0]; got != 0 {
		t.Errorf("without messages %d", got)
	}
}
