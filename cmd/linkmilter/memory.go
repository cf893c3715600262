package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// gcPercent is how much the heap of a command grows before garbage collection, in percent.
// The heap of most commands is so small that it grows to the least size that follows, each
// time the same: the runtime does not return memory to the system in between, and all
// processors wait while it takes memory back.
const gcPercent = 400

// boundMemory makes garbage collection run less often, for speed, until a command needs
// nearly as much memory as serve may. GOGC and GOMEMLIMIT in the environment take
// precedence.
func boundMemory() {
	runtime.MemProfileRate = 0 // a command shows no profile
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mailserver.DefaultMemory)
	}
}
