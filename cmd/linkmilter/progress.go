package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/linkmilter/linkmilter/internal/printable"
)

// progress shows the progress of long work on a terminal: after the first second one line with the
// count, the rate, the time left, and the current file. If standard error is not a terminal, it
// writes nothing. A nil progress writes nothing either.
type progress struct {
	out   io.Writer // nil means no output
	start time.Time
	next  time.Time
	shown bool
	count int
	bytes int64        // bytes that were read
	total atomic.Int64 // bytes of all inputs; 0 until they are known
}

const progressEvery = time.Second

func newProgress(stderr io.Writer) *progress {
	now := time.Now()
	p := &progress{start: now, next: now.Add(progressEvery)}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.out = f
	}
	return p
}

// expect finds out in the background how much there is to read. If that is unknown, as for standard
// input, the time left is not shown.
func (p *progress) expect(ctx context.Context, paths []string) {
	if p == nil || p.out == nil {
		return
	}
	go func() {
		total := int64(0)
		for f, err := range files(paths) {
			if ctx.Err() != nil || err == nil && !f.regular {
				return
			}
			if err != nil {
				continue // the error is reported when the file is read
			}
			if info, err := os.Stat(f.name); err == nil {
				total += info.Size()
			}
		}
		p.total.Store(total)
	}()
}

// clearLine goes back to the line's start and empties it.
const clearLine = "\r\x1b[K"

// step counts an input of a size in bytes.
func (p *progress) step(name string, size int) {
	if p == nil || p.out == nil {
		return
	}
	p.count++
	p.bytes += int64(size)
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	p.shown = true
	fmt.Fprintf(p.out, "%s%s, now %s", clearLine, p.state(now.Sub(p.start)), printable.Text(name))
}

// state returns the line for the terminal after the time passed.
func (p *progress) state(passed time.Duration) string {
	s := fmt.Sprintf("%s read, %.0f a second", printable.Number(p.count), float64(p.count)/passed.Seconds())
	total := p.total.Load()
	if total < p.bytes || p.bytes == 0 {
		return s
	}
	left := time.Duration(float64(passed) * float64(total-p.bytes) / float64(p.bytes))
	return s + ", " + left.Round(time.Second).String() + " left"
}

func (p *progress) done() {
	if p != nil && p.shown {
		fmt.Fprint(p.out, clearLine)
	}
}
