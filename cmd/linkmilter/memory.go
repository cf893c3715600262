package main

import (
	"os"
	"runtime/debug"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// boundMemory makes garbage collection run less often, for speed, until a command needs
// nearly as much memory as serve may. GOGC and GOMEMLIMIT in the environment take
// precedence.
func boundMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mailserver.DefaultMemory)
	}
}
