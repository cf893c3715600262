//go:build linux

package main

import (
	"slices"
	"time"
)

// latencies are how long messages took.
type latencies []time.Duration

// percentiles returns the latencies that the given shares of the messages do not exceed.
func (l latencies) percentiles(shares ...float64) []time.Duration {
	sorted := slices.Sorted(slices.Values(l))
	found := make([]time.Duration, len(shares))
	for i, share := range shares {
		if len(sorted) > 0 {
			found[i] = sorted[max(0, min(len(sorted)-1, int(share*float64(len(sorted))+0.5)-1))]
		}
	}
	return found
}

// median returns the one in the middle.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
