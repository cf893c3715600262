package service

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// notifier tells systemd how the service is (sd_notify(3)), if it asks to be
// told.
type notifier struct{ log *slog.Logger }

func (n notifier) send(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		n.log.Warn("systemd was not told", "state", state, "error", err)
	}
}

func (n notifier) ready()    { n.send(daemon.SdNotifyReady) }
func (n notifier) stopping() { n.send(daemon.SdNotifyStopping) }

// reloading also gives the time, from which systemd of Type=notify-reload
// tells one reload from another. ready ends it.
func (n notifier) reloading() {
	n.send(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec())
}

// watch sends systemd signs of life for as long as there is life: each one
// follows healthy, which has a quarter of the time that systemd waits.
func (n notifier) watch(ctx context.Context, healthy func(context.Context) error) {
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		n.log.Warn("no watchdog", "error", err)
	}
	if patience <= 0 {
		return
	}
	// sd_watchdog_enabled(3) recommends half the time.
	ticker := time.NewTicker(patience / 2)
	defer ticker.Stop()
	for {
		if err := within(ctx, patience/4, healthy); err == nil {
			n.send(daemon.SdNotifyWatchdog)
		} else if ctx.Err() == nil {
			n.log.Error("watchdog", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// within asks healthy, which has to answer in time.
func within(ctx context.Context, limit time.Duration, healthy func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %s", limit))
	defer cancel()
	return healthy(ctx)
}
