package main

import (
	"testing"
	"time"
)

func TestSinceFlag(t *testing.T) {
	now := time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Time{
		"":           {},
		"2026-11-01": time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC),
		"0d":         now,
		"7d":         now.AddDate(0, 0, -7),
		"1w":         now.AddDate(0, 0, -7),
		"52w":        now.AddDate(0, 0, -364),
		"12h":        now.Add(-12 * time.Hour),
		"1h30m":      now.Add(-90 * time.Minute),
	} {
		if got, err := sinceFlag(value, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v and %v, want %v", value, got, err, want)
		}
	}
	for _, value := range []string{"w", "d", "-1w", "1.5w", "70000w", "1y", "1w2d", "yesterday", "-2h"} {
		if got, err := sinceFlag(value, now); err == nil {
			t.Errorf("%q: %v, want an error", value, got)
		}
	}
}
