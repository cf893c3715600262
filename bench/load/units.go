//go:build linux

package main

import (
	"fmt"
	"time"
)

// milliseconds writes a time with three digits or more.
func milliseconds(d time.Duration) string {
	ms := d.Seconds() * 1000
	switch {
	case ms < 1:
		return fmt.Sprintf("%.3f ms", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// megabytes writes a size in MiB.
func megabytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }
