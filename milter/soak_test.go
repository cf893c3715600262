//go:build linux

package milter

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// footprint has what the process uses: goroutines, open files, memory.
type footprint struct {
	goroutines, files int
	resident          int64 // bytes
}

func measureFootprint(tb testing.TB) footprint {
	tb.Helper()
	// A sync.Pool keeps its content until the second collection.
	for range 3 {
		debug.FreeOSMemory()
	}
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		tb.Fatal(err)
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		tb.Fatal(err)
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(statm), &size, &resident); err != nil {
		tb.Fatal(err)
	}
	return footprint{runtime.NumGoroutine(), len(files), resident * int64(os.Getpagesize())}
}

// least returns the least of each of two footprints.
func (f footprint) least(g footprint) footprint {
	return footprint{min(f.goroutines, g.goroutines), min(f.files, g.files), min(f.resident, g.resident)}
}

// grown reports whether the process has grown since before: in memory by more
// than a fifth.
func (f footprint) grown(before footprint) bool {
	return f.goroutines > before.goroutines || f.files > before.files || f.resident > before.resident+before.resident/5
}

// TestNothingGrows sends 10,000 messages, in short 3,000, through the real filter over 100
// connections, and checks that nothing grows after the first 1,000.
func TestNothingGrows(t *testing.T) {
	if testing.Short() {
		t.Skip("memory under the race detector, or on a hurried machine, says nothing")
	}
	// Warnings show why a message was not edited.
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	// 100 messages at a time on a busy machine: the deadline is not the point here.
	path := startUnix(t, Options{Options: mailserver.Options{Filter: realFilter(t), Log: log, Limits: mailserver.Limits{Time: time.Minute}}})
	workers := make([]*soaker, 100)
	for i := range workers {
		workers[i] = &soaker{client: newClient(path, benchProtocol), seed: i}
	}
	var sent, edited atomic.Int64
	run := func(more func(i int) bool) {
		var running sync.WaitGroup
		for _, w := range workers {
			running.Go(func() {
				for i := 0; more(i); i++ {
					changed, err := w.send(t)
					if err != nil {
						t.Error(err)
						return
					}
					sent.Add(1)
					if changed {
						edited.Add(1)
					}
				}
			})
		}
		running.Wait()
	}

	// If the process has grown, measure again after some more messages. The heap is fragmented
	// differently each time, mostly on a busy machine, but a leak is larger then, not smaller.
	measureAfter := func(before footprint) footprint {
		f := measureFootprint(t)
		for tries := 0; f.grown(before) && tries < 3; tries++ {
			run(func(i int) bool { return i < 2 })
			f = f.least(measureFootprint(t))
		}
		if f.grown(before) {
			t.Errorf("the process has grown from %+v to %+v", before, f)
		}
		return f
	}

	run(func(i int) bool { return i < 10 })
	early := measureFootprint(t)
	run(func(i int) bool { return i < long.Rows(90, 20) })
	later := measureAfter(early)
	t.Logf("%d messages, %d edited", sent.Load(), edited.Load())
	t.Logf("after 1,000 messages %+v, at the end %+v", early, later)
	if edited.Load()*10 < sent.Load()*3 {
		t.Error("too few messages were edited")
	}
	for _, w := range workers {
		if err := w.session.Close(); err != nil {
			t.Error(err)
		}
	}
}

// soaker is an MTA with one connection, which it closes and opens again now and then.
type soaker struct {
	client  *gomilter.Client
	session *gomilter.ClientSession
	seed    int
	sent    int
}

// Links of a message that is edited, and text that is not.
const (
	soakLink  = "See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE for more.\r\n"
	soakProse = "The quick brown fox jumps over the lazy dog.\r\n"
)

// send sends the next message and reports whether it was edited as it should
// be.
func (w *soaker) send(tb testing.TB) (edited bool, err error) {
	if w.session != nil && w.sent%97 == w.seed%97 {
		if err := w.session.Close(); err != nil {
			return false, err
		}
		w.session = nil
	}
	if w.session == nil {
		if w.session, err = open(w.client); err != nil {
			return false, err
		}
	}
	// The first messages of all connections are of all kinds and sizes.
	n := 20*w.seed + w.sent
	w.sent++
	body := soakLink + strings.Repeat(soakProse, n%200)
	macros := []string{"i", fmt.Sprintf("S%d", n)}
	want := n%2 == 0
	if want {
		macros = append(macros, "{auth_authen}", "alice")
	}
	if n%500 == 0 {
		body = strings.Repeat(body, 1+300_000/len(body))
	}
	mods, action, err := deliver(w.session, fieldsOf(tb, "From", " a@example.org", "Subject", " soak"), []byte(body), macros...)
	if err != nil {
		return false, err
	}
	for _, mod := range mods {
		if mod.Code == gomilter.ActReplBody && bytes.Contains(mod.Body, []byte("multipart")) {
			return false, fmt.Errorf("header in the body %.40q", mod.Body)
		}
	}
	if edited = len(mods) > 0; edited != want || action.Code != gomilter.ActAccept {
		return edited, fmt.Errorf("message %d: %d modifications, action %c", n, len(mods), action.Code)
	}
	return edited, nil
}
