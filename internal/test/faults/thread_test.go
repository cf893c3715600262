//go:build linux

package faults

import "runtime"

// serveStarts starts programs in a thread of its own, which lasts as long as the test.
func serveStarts() {
	runtime.LockOSThread()
	for s := range starts {
		s.result <- s.cmd.Start()
	}
}
