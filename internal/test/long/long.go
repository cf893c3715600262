// Package long says how much of a sweep a test does. `make test` does a sample of each, so
// that it ends within minutes; `make test-long`, which continuous integration calls, does all.
package long

import (
	"os"
	"testing"
)

// Is reports whether tests do all of their sweeps: LINKMILTER_LONG=1.
func Is() bool { return os.Getenv("LINKMILTER_LONG") == "1" }

// Rows returns how many rows of a sweep a test does: all of them, or a sample.
func Rows(all, sample int) int {
	if Is() {
		return all
	}
	return min(all, sample)
}

// Only skips a test that has no short form. Each case that it sweeps over needs a test of
// its own, which always runs.
func Only(tb testing.TB) {
	tb.Helper()
	if !Is() {
		tb.Skip("SKIPPED, takes long: `make test-long` runs it")
	}
}
