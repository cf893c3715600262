//go:build linux

package main

import (
	"cmp"
	"errors"
	"sync"
	"time"
)

// A server is what a stream goes to.
type server struct {
	name    string
	connect func() (sender, error)
	program *program // nil: its processor time and memory are not measured
	open    []sender
	taken
}

// taken is what a server took in all its turns.
type taken struct {
	sent               int
	elapsed, processor time.Duration
	memory             footprint // most
	latencies          latencies
	p99s               []float64 // of each turn, in seconds
}

// rate is in messages a second.
func (t *taken) rate() float64 { return float64(t.sent) / t.elapsed.Seconds() }

// cost is the processor time of a message.
func (t *taken) cost() time.Duration { return t.processor / time.Duration(max(1, t.sent)) }

// connections opens connections up to the given number.
func (s *server) connections(n int) error {
	for len(s.open) < n {
		c, err := s.connect()
		if err != nil {
			return err
		}
		s.open = append(s.open, c)
	}
	return nil
}

// closeAll closes the connections.
func (s *server) closeAll() {
	for _, c := range s.open {
		c.close()
	}
	s.open = nil
}

// turn sends messages over all connections and adds what the server took.
func (s *server) turn(next source) error {
	before, err := s.spent()
	if err != nil {
		return err
	}
	watch := s.watch()
	had := len(s.latencies)
	all, errs := make([]latencies, len(s.open)), make([]error, len(s.open))
	var sending sync.WaitGroup
	begin := time.Now()
	for n, c := range s.open {
		sending.Go(func() { all[n], errs[n] = drain(c, next) })
	}
	sending.Wait()
	s.elapsed += time.Since(begin)
	s.memory = watch().most(s.memory)
	for _, l := range all {
		s.sent += len(l)
		s.latencies = append(s.latencies, l...)
	}
	const share = 0.99
	s.p99s = append(s.p99s, s.latencies[had:].percentiles(share)[0].Seconds())
	after, err := s.spent()
	s.processor += after - before
	return cmp.Or(errors.Join(errs...), err)
}

// drain sends messages over a connection until the source ends.
func drain(c sender, next source) (latencies, error) {
	var l latencies
	for {
		i, due, more := next()
		if !more {
			return l, nil
		}
		if err := c.send(i); err != nil {
			return l, err
		}
		l = append(l, time.Since(due))
	}
}

// spent returns the processor time so far.
func (s *server) spent() (time.Duration, error) {
	if s.program == nil {
		return 0, nil
	}
	return s.program.processor()
}

// most returns the larger of each.
func (f footprint) most(g footprint) footprint {
	return footprint{max(f.resident, g.resident), max(f.proportional, g.proportional)}
}

// between is the time between two looks at the memory.
const between = 200 * time.Millisecond

// watch looks at the memory until the caller asks for the most that was seen.
func (s *server) watch() func() footprint {
	if s.program == nil {
		return func() footprint { return footprint{} }
	}
	stop, seen := make(chan struct{}), make(chan footprint)
	go func() {
		var most footprint
		ticker := time.NewTicker(between)
		defer ticker.Stop()
		for {
			if now, err := s.program.memory(); err == nil {
				most = most.most(now)
			}
			select {
			case <-stop:
				seen <- most
				return
			case <-ticker.C:
			}
		}
	}()
	return func() footprint {
		close(stop)
		return <-seen
	}
}
