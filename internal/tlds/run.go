package tlds

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	// firstWithin spreads the first question of machines that start at the
	// same moment.
	firstWithin = 5 * time.Minute
	// firstRetry is the pause after a first failure; it doubles with each one,
	// up to the usual time between two questions.
	firstRetry = 5 * time.Minute
	// jitter is how far a pause may be from its length, as a share of it.
	jitter = 0.1
)

// Run keeps the list fresh until ctx ends: it asks for a newer one when the
// one at hand was last checked a day (Options.Every) ago, and after failures
// again with growing pauses. Each time the names in use are others than
// before, it calls publish with the new list, one call at a time. A new
// version with the same names, as IANA makes every day, is no reason to call.
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

// refresh updates once and logs how it went. It reports whether the server
// gave a good answer.
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

// firstPause is the time until a list that was checked before is due again,
// and short for one that never was.
func (k *Keeper) firstPause(now time.Time) time.Duration {
	soon := rand.N(firstWithin)
	checked := k.Current().Checked
	if checked.IsZero() {
		return soon
	}
	// A clock that was wrong must not put the question off for ever.
	return min(max(checked.Add(k.every).Sub(now), 0), k.every) + soon
}

// pause is the time until the next question.
func (k *Keeper) pause(failures int) time.Duration {
	pause := k.every
	if failures > 0 {
		// More doublings than these are past any time between two questions.
		pause = min(firstRetry<<min(failures-1, 20), k.every)
	}
	return time.Duration(float64(pause) * (1 - jitter + 2*jitter*rand.Float64()))
}

// sameNames reports whether two lists have the same names.
func sameNames(a, b *List) bool {
	return a.Set.Len() == b.Set.Len() && len(missing(a.Set, b.Set)) == 0
}
