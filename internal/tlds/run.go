package tlds

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/linkmilter/linkmilter/internal/fetch"
)

// Run updates the list until ctx ends. It asks for a newer list when the last check was a day
// (Options.Every) ago, and retries after failures with growing pauses. It calls publish, one call
// at a time, with each new list whose names differ from the list before. Most of IANA's daily
// versions have the same names.
func (k *Keeper) Run(ctx context.Context, publish func(*List)) {
	published := k.Current()
	failures := 0
	var said string // the last logged reason why the list was not updated
	timer := time.NewTimer(fetch.FirstPause(k.Current().Checked, k.every, time.Now()))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-k.unknown:
			k.learn(ctx, name)
		case <-timer.C:
			if err := k.refresh(ctx); err == nil {
				failures, said = 0, ""
				k.forget(ctx)
			} else {
				failures++
				said = k.complain(err, said)
			}
			timer.Reset(fetch.Pause(k.every, failures))
		}
		if now := k.Current(); ctx.Err() == nil && !sameNames(now, published) {
			published = now
			publish(now)
		}
	}
}

// refresh updates the list once and logs the changes. The error is that of the request, or of the
// list.
func (k *Keeper) refresh(ctx context.Context) error {
	o, err := k.Update(ctx)
	if save := (*SaveError)(nil); errors.As(err, &save) {
		k.log.Warn("top-level domains not saved", "file", save.File, "error", save.Err)
		err = nil
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && !o.Unchanged:
		k.log.Info("top-level domains updated", "version", o.List.Version, "names", o.List.Set.Len(),
			"added", len(o.Added()), "removed", len(o.Removed()))
	}
	return err
}

// complain logs why the list was not updated, and returns that reason. said is the reason logged
// last: a machine that cannot reach the server logs it only once.
func (k *Keeper) complain(err error, said string) string {
	if errors.Is(err, context.Canceled) || said != "" && (said == err.Error() || isNetwork(err) && said == noNetwork) {
		return said
	}
	l := k.Current()
	k.log.Warn("top-level domains not updated", "error", err, "version", l.Version, "age", l.Age(time.Now()).Round(time.Hour))
	if isNetwork(err) {
		return noNetwork
	}
	return err.Error()
}

// noNetwork stands for all errors of the network, because their texts differ each time.
const noNetwork = "no network"

// isNetwork reports whether an error means that a request got no answer.
func isNetwork(err error) bool {
	failed := (*url.Error)(nil)
	return errors.As(err, &failed)
}

// sameNames reports whether two lists have the same names.
func sameNames(a, b *List) bool {
	return a.Set.Len() == b.Set.Len() && len(missing(a.Set, b.Set)) == 0
}
