package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// progress rewrites one line on a terminal, and is silent elsewhere.
type progress struct {
	mu       sync.Mutex
	out      *os.File
	terminal bool
	last     time.Time
}

func newProgress(out *os.File) *progress {
	info, err := out.Stat()
	return &progress{out: out, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (p *progress) step(i, n int, what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.out, "\r\x1b[K%3d %%  %s", 100*i/n, what)
}

func (p *progress) done() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
