package tlds

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	// firstWithin spreads the first requests of machines that start at the same
	// moment.
	firstWithin = 5 * time.Minute
	// firstRetry is the pause after the first failure; it doubles with each
	// failure, up to Options.Every.
	firstRetry = 5 * time.Minute
	// jitter is the largest random change of a pause, as a share of it.
	jitter = 0.1
)

// Run updates the list until ctx ends. It asks for a newer list when the last check
// was a day (Options.Every) ago, and retries after failures with growing pauses. It
// calls publish with each new list whose names differ, one call at a time: IANA makes
// a version every day, most of them with the same names.
func (k *Keeper) Run(ctx context.Context, publish func(*List)) {
	published := k.Current()
	failures := 0
	timer := time.NewTimer(k.firstPause(time.Now()))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-k.unknown:
			k.learn(ctx, name)
		case <-timer.C:
			if k.refresh(ctx) {
				failures = 0
				k.forget(ctx)
			} else {
				failures++
			}
			timer.Reset(k.pause(failures))
		}
		if now := k.Current(); ctx.Err() == nil && !sameNames(now, published) {
			published = now
			publish(now)
		}
	}
}

// refresh updates once and logs the result. It reports whether the server gave a
// valid answer.
func (k *Keeper) refresh(ctx context.Context) bool {
	o, err := k.Update(ctx)
	if save := (*SaveError)(nil); errors.As(err, &save) {
		k.log.Warn("top-level domains not saved", "file", save.File, "error", save.Err)
		err = nil
	}
	switch {
	case ctx.Err() != nil:
		return false
	case err != nil:
		l := k.Current()
		k.log.Warn("top-level domains not updated", "error", err, "version", l.Version, "age", l.Age(time.Now()).Round(time.Hour))
		return false
	case !o.Unchanged:
		k.log.Info("top-level domains updated", "version", o.List.Version, "names", o.List.Set.Len(),
			"added", len(o.Added()), "removed", len(o.Removed()))
	}
	return true
}

// firstPause returns the time until the list is due for a check. It is short for a
// list that was never checked.
func (k *Keeper) firstPause(now time.Time) time.Duration {
	soon := rand.N(firstWithin)
	checked := k.Current().Checked
	if checked.IsZero() {
		return soon
	}
	// A clock that was wrong must not delay the request for ever.
	return min(max(checked.Add(k.every).Sub(now), 0), k.every) + soon
}

// pause returns the time until the next request.
func (k *Keeper) pause(failures int) time.Duration {
	pause := k.every
	if failures > 0 {
		// More doublings would exceed any Options.Every.
		pause = min(firstRetry<<min(failures-1, 20), k.every)
	}
	return time.Duration(float64(pause) * (1 - jitter + 2*jitter*rand.Float64()))
}

// sameNames reports whether two lists have the same names.
func sameNames(a, b *List) bool {
	return a.Set.Len() == b.Set.Len() && len(missing(a.Set, b.Set)) == 0
}
