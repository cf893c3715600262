package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// ballast is memory that is never touched, so that it takes none of the machine's.
var ballast []byte

// ballastBytes is what the heap may grow by before garbage collection, beside its own size.
const ballastBytes = 16 << 20

// boundMemory makes garbage collection run less often, for speed, until a command needs
// nearly as much memory as serve may. GOGC and GOMEMLIMIT in the environment take
// precedence.
//
// With a ballast the heap grows to about the same size each time. Else the runtime would
// return memory to the system after one collection and take it back before the next, and
// each time all processors wait for their tables of pages.
func boundMemory() {
	runtime.MemProfileRate = 0 // a command shows no profile
	if os.Getenv("GOGC") == "" {
		ballast = make([]byte, ballastBytes)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mailserver.DefaultMemory + int64(len(ballast)))
	}
}
