package service

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"time"
)

const (
	// heapGrowth is GOGC: how much the heap may grow, in percent, before garbage
	// collection runs. The heap between messages is so small that with Go's
	// default of 100 garbage collection takes half of the processor time.
	heapGrowth = 400
	// ownMemory is how many bytes of Go's heap are not for messages. The whole process takes up to
	// 64 MiB more than messages do: for the program, and for memory not yet collected.
	ownMemory = 24 << 20
)

// softLimit returns the memory limit for the garbage collector. It is below twice the memory of
// messages, because busy processors collect late.
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

// clockWatch logs steps of the wall clock, and times in which the process did not run: after
// SIGSTOP, or while its virtual machine stood still. Both explain other lines of the log.
type clockWatch struct{ log *slog.Logger }

const (
	// clockEvery is the time between two checks of the clocks.
	clockEvery = time.Second
	// clockSlack is how late a check may be, and by how much the clocks may differ between two
	// checks. Less is ordinary on a busy machine.
	clockSlack = time.Second
)

// run checks the clocks until ctx ends.
func (w clockWatch) run(ctx context.Context) {
	last := time.Now()
	timer := time.NewTimer(clockEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		now := time.Now()
		// Round removes the reading of the monotonic clock, so the difference is that of the wall
		// clock.
		w.note(now.Sub(last), now.Round(0).Sub(last.Round(0)))
		last = now
		timer.Reset(clockEvery)
	}
}

// note logs if the time between two checks is unusual. passed is that time by the monotonic clock,
// and wall by the wall clock.
func (w clockWatch) note(passed, wall time.Duration) {
	if late := passed - clockEvery; late > clockSlack {
		w.log.Warn("process did not run", "for", late.Round(time.Millisecond))
	}
	if step := wall - passed; step.Abs() > clockSlack {
		w.log.Warn("clock was stepped", "by", step.Round(time.Millisecond))
	}
}
