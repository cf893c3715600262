//go:build linux

package main

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(noopVariable); address != "" {
		fmt.Fprintln(os.Stderr, runNoop(address))
		os.Exit(exitFailed)
	}
	os.Exit(m.Run())
}

// TestLoad is the short form of all measurements: each reply and each message is checked, and
// ratios of processor time and memory.
func TestLoad(t *testing.T) {
	r := &run{TB: t, out: t.Output(), options: options{
		binary: build(t), peers: peerNames, seed: 1, messages: 50, largest: 1 << 20, connections: 2,
		turns: 1, turn: 300 * time.Millisecond, many: 24, growing: 4 * time.Second, growingRate: 200, busy: true,
	}}
	for _, p := range parts() {
		start := time.Now()
		p.measure(r)
		t.Logf("%s: %v", p.name, time.Since(start))
	}
	if !r.held() {
		t.Error(r.verdicts)
	}
}
