package tlds

import (
	"context"
	"errors"
	"time"

	"github.com/linkmilter/linkmilter/internal/fetch"
)

// Run updates the list until ctx ends. It asks for a newer list when the last check
// was a day (Options.Every) ago, and retries after failures with growing pauses. It
// calls publish with each new list whose names differ, one call at a time: IANA makes
// a version every day, most of them with the same names.
func (k *Keeper) Run(ctx context.Context, publish func(*List)) {
	published := k.Current()
	failures := 0
	timer := time.NewTimer(fetch.FirstPause(k.Current().Checked, k.every, time.Now()))
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
			timer.Reset(fetch.Pause(k.every, failures))
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

// sameNames reports whether two lists have the same names.
func sameNames(a, b *List) bool {
	return a.Set.Len() == b.Set.Len() && len(missing(a.Set, b.Set)) == 0
}
