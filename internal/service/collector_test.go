package service

import (
	"runtime/debug"
	"testing"
)

// keepCollector restores the settings of Go's garbage collector after a test.
func keepCollector(t *testing.T) {
	limit, growth := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	debug.SetGCPercent(growth)
	t.Cleanup(func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(growth)
	})
}

func TestCollector(t *testing.T) {
	keepCollector(t)
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	r := run(t, ruleWith()+"[limits]\nmessage = \"1 MiB\"\nmemory = \"10 MiB\"\n")
	if got, want := debug.SetMemoryLimit(-1), softLimit(10<<20); got != want {
		t.Errorf("memory limit %d, want %d", got, want)
	}
	if got := debug.SetGCPercent(heapGrowth); got != heapGrowth {
		t.Errorf("heap growth of %d %%, want %d", got, heapGrowth)
	}
	r.reload(t, ruleWith()+"[limits]\nmessage = \"1 MiB\"\nmemory = \"20 MiB\"\n")
	if got, want := debug.SetMemoryLimit(-1), softLimit(20<<20); got != want {
		t.Errorf("after a reload memory limit %d, want %d", got, want)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestCollectorOfTheEnvironment: settings of the environment stay.
func TestCollectorOfTheEnvironment(t *testing.T) {
	keepCollector(t)
	t.Setenv("GOGC", "50")
	t.Setenv("GOMEMLIMIT", "1GiB")
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(1 << 30)
	tuneCollector(10 << 20)
	if limit, growth := debug.SetMemoryLimit(-1), debug.SetGCPercent(50); limit != 1<<30 || growth != 50 {
		t.Errorf("memory limit %d, heap growth of %d %%", limit, growth)
	}
}
