package main

import (
	"os"
	"runtime/debug"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// boundMemory has garbage collection work harder when a command that reads messages one
// after the other comes near to what serve may take. GOMEMLIMIT in the environment
// counts more.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mailserver.DefaultMemory)
	}
}
