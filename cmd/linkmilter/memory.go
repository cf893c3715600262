package main

import (
	"os"
	"runtime/debug"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// boundMemory makes garbage collection run more often when a command needs nearly as
// much memory as serve may. GOMEMLIMIT in the environment takes precedence.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mailserver.DefaultMemory)
	}
}
