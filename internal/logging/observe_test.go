package logging

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestObserve: the observer gets all warnings of all loggers made from the first one, also those
// that are not logged.
func TestObserve(t *testing.T) {
	var out strings.Builder
	level := new(slog.LevelVar)
	log, err := New(&out, Text, level)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	log = Observe(log, func(level slog.Level, message string) { got = append(got, level.String()+" "+message) })
	lines(log)
	level.Set(slog.LevelError)
	lines(log)
	want := []string{"WARN two\nlines", "ERROR panic"}
	if !slices.Equal(got, append(want, want...)) {
		t.Errorf("heard of %q", got)
	}
	if n := strings.Count(out.String(), "\n"); n != 5 {
		t.Errorf("%d lines, want those of the levels:\n%s", n, &out)
	}
}

// slow is a handler that waits at some messages.
type slow struct {
	slog.Handler
	pause *time.Duration
}

func (s slow) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == "message" {
		time.Sleep(*s.pause)
	}
	return s.Handler.Handle(ctx, r)
}

// TestBlocked: if the log does not take a line in time, it says so once afterwards, whatever the
// number of lines that wait.
func TestBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		var pause time.Duration
		var warned atomic.Int64
		log := Observe(slog.New(slow{slog.NewTextHandler(&out, nil), &pause}), func(slog.Level, string) { warned.Add(1) })
		for _, c := range []struct {
			pause time.Duration
			want  int
		}{{0, 0}, {900 * time.Millisecond, 0}, {3 * time.Second, 1}, {3 * time.Second, 1}, {2 * time.Minute, 2}} {
			pause = c.pause
			var waiting sync.WaitGroup
			for range 5 {
				waiting.Go(func() { log.Info("message") })
			}
			waiting.Wait()
			if n := strings.Count(out.String(), `level=WARN msg="log was blocked" for=`); n != c.want || int(warned.Load()) != c.want {
				t.Errorf("after %v: %d lines, %d warnings, want %d", c.pause, n, warned.Load(), c.want)
			}
		}
	})
}
