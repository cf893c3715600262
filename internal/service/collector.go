package service

import (
	"os"
	"runtime/debug"
)

const (
	// heapGrowth is how much the heap may grow, in percent of what is in use,
	// before Go's collector runs. The heap between messages is so small that with
	// Go's own 100 the collector takes half of the processor time.
	heapGrowth = 400
	// ownMemory is what Go's heap may take beside messages, in bytes. The process takes up
	// to 64 MiB beside them: the program itself, and what the collector is late with.
	ownMemory = 24 << 20
)

// tuneCollector has Go's collector run less often while there is memory, and
// more often where there is not: when the process comes near to twice what
// messages may take, which is memory in bytes. GOGC and GOMEMLIMIT in the
// environment count more.
func tuneCollector(memory int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(2*memory + ownMemory)
	}
}
