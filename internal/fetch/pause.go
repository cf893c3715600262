package fetch

import (
	"math/rand/v2"
	"time"
)

const (
	// FirstWithin is the time in which machines that start at the same moment spread their first
	// requests.
	FirstWithin = 5 * time.Minute
	// FirstRetry is the pause after the first failure; it doubles with each
	// failure, up to the time between two requests.
	FirstRetry = 5 * time.Minute
	// jitter is the largest random change of a pause, as a share of it.
	jitter = 0.1
)

// FirstPause returns the time until the next request for a list that the server last confirmed at
// the time checked. It is short if that is zero, because the list was never confirmed.
func FirstPause(checked time.Time, every time.Duration, now time.Time) time.Duration {
	soon := rand.N(FirstWithin)
	if checked.IsZero() {
		return soon
	}
	// If the clock was wrong at that time, the request must not wait for ever.
	return min(max(checked.Add(every).Sub(now), 0), every) + soon
}

// Pause returns the time until the next request, after as many failures in a row.
func Pause(every time.Duration, failures int) time.Duration {
	pause := every
	if failures > 0 {
		// More doublings would exceed any time between two requests.
		pause = min(FirstRetry<<min(failures-1, 20), every)
	}
	return time.Duration(float64(pause) * (1 - jitter + 2*jitter*rand.Float64()))
}
