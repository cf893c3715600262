package service

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestClockWatch: the log tells of pauses of the process and of steps of the clock.
func TestClockWatch(t *testing.T) {
	for _, c := range []struct {
		passed, wall time.Duration
		want         string
	}{
		{clockEvery, clockEvery, ""},
		{clockEvery + 900*time.Millisecond, clockEvery + 100*time.Millisecond, ""},
		{clockEvery + 5*time.Second, clockEvery + 5*time.Second, `level=WARN msg="process did not run" for=5s`},
		{clockEvery, clockEvery + time.Hour, `level=WARN msg="clock was stepped" by=1h0m0s`},
		{clockEvery, clockEvery - 1500*time.Millisecond, `level=WARN msg="clock was stepped" by=-1.5s`},
	} {
		var out strings.Builder
		clockWatch{slog.New(slog.NewTextHandler(&out, nil))}.note(c.passed, c.wall)
		if got := out.String(); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v, %v: log %q, want %q", c.passed, c.wall, got, c.want)
		}
	}
}

// TestClockWatchIsSilent: while the process runs normally, it logs nothing.
func TestClockWatchIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		clockWatch{slog.New(slog.NewTextHandler(&out, nil))}.run(ctx)
		if out.Len() > 0 {
			t.Errorf("log %q", &out)
		}
	})
}
