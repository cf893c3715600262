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
// follows a session with the milter and a message through the filter.
func (s *service) watch(ctx context.Context) {
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn("no watchdog", "error", err)
	}
	if patience <= 0 {
		return
	}
	// sd_watchdog_enabled(3) recommends half the time.
	ticker := time.NewTicker(patience / 2)
	defer ticker.Stop()
	for {
		if err := s.check(ctx, patience/4); err == nil {
			s.notify.send(daemon.SdNotifyWatchdog)
		} else if ctx.Err() == nil {
			s.log.Error("watchdog", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// check is healthy within a time.
func (s *service) check(ctx context.Context, within time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("no answer within %s", within))
	defer cancel()
	return s.healthy(ctx)
}
