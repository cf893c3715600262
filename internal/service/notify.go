package service

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// notifier reports the state of the service to systemd (sd_notify(3)), if systemd asks
// for it.
type notifier struct{ log *slog.Logger }

func (n notifier) send(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		n.log.Warn("systemd not notified", "state", state, "error", err)
	}
}

func (n notifier) ready()    { n.send(daemon.SdNotifyReady) }
func (n notifier) stopping() { n.send(daemon.SdNotifyStopping) }

// extend asks for more time than TimeoutStopSec to stop.
func (n notifier) extend(by time.Duration) {
	n.send(fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", by.Microseconds()))
}

// reloading reports a reload, with the time by which systemd distinguishes reloads
// (Type=notify-reload). ready ends the reload.
func (n notifier) reloading() {
	n.send(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec())
}

// watch sends a watchdog message after each successful call of healthy, which may
// take a quarter of the time that systemd waits.
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

// within calls healthy with a time limit.
func within(ctx context.Context, limit time.Duration, healthy func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %s", limit))
	defer cancel()
	return healthy(ctx)
}
