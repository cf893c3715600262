package config

import (
	"testing"
	"time"
)

// TestDigestIsDue: the time of day is compared as a time, also with one digit.
func TestDigestIsDue(t *testing.T) {
	for _, test := range []struct {
		at, now string
		want    bool
	}{
		{"07:00", "06:59", false}, {"07:00", "07:00", true}, {"7:00", "06:59", false}, {"7:00", "15:00", true}, {"00:00", "00:00", true}, {"23:59", "23:58", false},
	} {
		now, err := time.Parse("15:04", test.now)
		if err != nil {
			t.Fatal(err)
		}
		if d := (Digest{At: test.at}); d.IsDue(now) != test.want {
			t.Errorf("at %s, now %s: want %t", test.at, test.now, test.want)
		}
	}
}
