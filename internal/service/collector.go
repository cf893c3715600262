package service

import (
	"os"
	"runtime/debug"
)

const (
	// heapGrowth is GOGC: how much the heap may grow, in percent, before garbage
	// collection runs. The heap between messages is so small that with Go's
	// default of 100 garbage collection takes half of the processor time.
	heapGrowth = 400
	// ownMemory is the memory of Go's heap beside messages, in bytes. The process
	// takes up to 64 MiB beside them: the program, and memory not yet collected.
	ownMemory = 24 << 20
)

// softLimit returns the limit for the collector: twice the memory of messages, without what
// busy processors collect too late.
func softLimit(memory int64) int64 { return ownMemory + 2*memory - memory/8 }

// tuneCollector makes garbage collection run less often while memory is free. It runs more
// often when the process comes near to twice the memory of messages, given in bytes. GOGC and GOMEMLIMIT in the environment take precedence.
func tuneCollector(memory int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit(memory))
	}
}
