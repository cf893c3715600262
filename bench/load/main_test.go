//go:build linux

package main

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	for _, test := range []struct{ args, problem string }{
		{"", ""},
		{"-rate 5 mixed speed", ""},
		{"-peers noop,rspamd latency", ""},
		{"-turns 0", "-turns 0: not positive"},
		{"-rate -1", "-rate -1: negative"},
		{"-peers noop,postgrey", `unknown peer "postgrey"`},
		{"fast", `unknown measurement "fast"`},
		{"mixed -rate 5", `unknown measurement "-rate"`},
		{"-speed", "not defined"},
	} {
		_, chosen, err := parse(strings.Fields(test.args))
		switch {
		case test.problem == "" && (err != nil || len(chosen) == 0):
			t.Errorf("%q: %v, %d measurements", test.args, err, len(chosen))
		case test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)):
			t.Errorf("%q: %v, want %s", test.args, err, test.problem)
		}
	}
	if _, _, err := parse([]string{"-help"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-help: %v", err)
	}
	var help strings.Builder
	usage(&help)
	for _, p := range parts() {
		if !strings.Contains(help.String(), p.name+" ") {
			t.Errorf("the help does not have %s", p.name)
		}
	}
}

// TestExitStatus: 1 means that a ratio does not hold, 2 that the measurement failed. Cleanups
// run in each case.
func TestExitStatus(t *testing.T) {
	for _, test := range []struct {
		name    string
		measure func(*run)
		want    int
	}{
		{"holds", func(r *run) { r.judge("x", 2, atLeast(2)) }, exitHeld},
		{"too little", func(r *run) { r.judge("x", 1.9, atLeast(2)) }, exitNotHeld},
		{"too much", func(r *run) { r.judge("x", 4.1, atMost(4)); r.judge("y", 4, atMost(4)) }, exitNotHeld},
		{"wrong reply", func(r *run) { r.Errorf("reply %d", 1) }, exitFailed},
		{"failure", func(r *run) { r.Fatal("gone") }, exitFailed},
	} {
		ended := false
		p := part{test.name, "", func(r *run) {
			r.Cleanup(func() { ended = true })
			test.measure(r)
		}}
		if got := measure(options{binary: "linkmilter"}, []part{p}, io.Discard); got != test.want || !ended {
			t.Errorf("%s: exit status %d, want %d; ended: %v", test.name, got, test.want, ended)
		}
	}
}
