package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/linkmilter/linkmilter/internal/printable"
	"golang.org/x/term"
)

// progress shows the progress of long work on a terminal: after the first second one
// line with the count and the current file. Without a terminal it writes nothing.
type progress struct {
	out   io.Writer // nil: silent
	count int
	next  time.Time
	shown bool
}

const progressEvery = time.Second

func newProgress(stderr io.Writer) *progress {
	p := &progress{next: time.Now().Add(progressEvery)}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.out = f
	}
	return p
}

// clearLine goes back to the line's start and empties it.
const clearLine = "\r\x1b[K"

func (p *progress) step(name string) {
	p.count++
	if p.out == nil || time.Now().Before(p.next) {
		return
	}
	p.next = time.Now().Add(progressEvery)
	p.shown = true
	fmt.Fprintf(p.out, "%s%d read, now %s", clearLine, p.count, printable.Text(name))
}

func (p *progress) done() {
	if p.shown {
		fmt.Fprint(p.out, clearLine)
	}
}
