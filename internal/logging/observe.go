package logging

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// blockedTime is how long writing a line may take, because mail waits for it.
	blockedTime = time.Second
	// blockedPause is the shortest time between two warnings about that, because all connections
	// wait for the same disk.
	blockedPause = time.Minute
)

// Observe returns a logger that calls warned for each line of level WARN or above, even if the log
// leaves it out. It logs "log was blocked" after a line that took more than a second to write.
func Observe(log *slog.Logger, warned func(level slog.Level, message string)) *slog.Logger {
	return slog.New(observed{log.Handler(), &observer{warned: warned}})
}

type observer struct {
	warned  func(level slog.Level, message string)
	blocked atomic.Int64 // when the last such warning was logged, Unix time in nanoseconds
}

// observed is a handler that also passes its lines to an observer.
type observed struct {
	slog.Handler
	observer *observer
}

func (o observed) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || o.Handler.Enabled(ctx, level)
}

func (o observed) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		o.observer.warned(r.Level, r.Message)
	}
	if !o.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	start := time.Now()
	err := o.Handler.Handle(ctx, r)
	if took := time.Since(start); took > blockedTime {
		o.blocked(ctx, took)
	}
	return err
}

// blocked logs that a line took long, unless it did so less than blockedPause ago.
func (o observed) blocked(ctx context.Context, took time.Duration) {
	const message = "log was blocked"
	now, before := time.Now().UnixNano(), o.observer.blocked.Load()
	if passed := time.Duration(now - before); passed >= 0 && passed < blockedPause || !o.observer.blocked.CompareAndSwap(before, now) {
		return
	}
	o.observer.warned(slog.LevelWarn, message)
	if o.Handler.Enabled(ctx, slog.LevelWarn) {
		r := slog.NewRecord(time.Now(), slog.LevelWarn, message, 0)
		r.Add("for", took)
		_ = o.Handler.Handle(ctx, r)
	}
}

func (o observed) WithAttrs(attrs []slog.Attr) slog.Handler {
	return observed{o.Handler.WithAttrs(attrs), o.observer}
}

func (o observed) WithGroup(name string) slog.Handler {
	return observed{o.Handler.WithGroup(name), o.observer}
}
