package service

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/report"
)

func TestAdviceIsRare(t *testing.T) {
	var log bytes.Buffer
	a := advice{log: slog.New(slog.NewTextHandler(&log, nil))}
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	told := func() int { return strings.Count(log.String(), "run linkmilter before the signing milter") }
	a.signedBefore(&report.Report{}, now)
	if told() != 0 {
		t.Error("advice about a message that is in order")
	}
	for _, at := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {time.Second, 1}, {59 * time.Minute, 1}, {time.Hour, 2}, {time.Hour, 2}, {3 * time.Hour, 3}} {
		a.signedBefore(&report.Report{SignedBefore: "example.com"}, now.Add(at.after))
		if told() != at.want {
			t.Errorf("after %s: told %d times, want %d", at.after, told(), at.want)
		}
	}
	if !strings.Contains(log.String(), "domain=example.com") {
		t.Errorf("log %s", &log)
	}
}
