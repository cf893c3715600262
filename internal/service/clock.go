package service

import (
	"context"
	"log/slog"
	"time"
)

// clockWatch tells of times in which the process did not run, as after SIGSTOP or while
// its virtual machine stood still, and of steps of the wall clock. Both explain what else
// the log has.
type clockWatch struct{ log *slog.Logger }

const (
	// clockEvery is the time between two looks at the clocks.
	clockEvery = time.Second
	// clockSlack is how late a look may be, and how far the clocks may part between two:
	// less is ordinary on a busy machine.
	clockSlack = time.Second
)

// run looks at the clocks until ctx ends.
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
		// Round strips the monotonic clock: the difference is that of the wall clock.
		w.note(now.Sub(last), now.Round(0).Sub(last.Round(0)))
		last = now
		timer.Reset(clockEvery)
	}
}

// note logs what the time that passed between two looks says, by the monotonic clock and
// by the wall clock.
func (w clockWatch) note(passed, wall time.Duration) {
	if late := passed - clockEvery; late > clockSlack {
		w.log.Warn("process did not run", "for", late.Round(time.Millisecond))
	}
	if step := wall - passed; step.Abs() > clockSlack {
		w.log.Warn("clock was stepped", "by", step.Round(time.Millisecond))
	}
}
