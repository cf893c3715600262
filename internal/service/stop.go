package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

const (
	// drainTime is how long open messages may take after a signal to stop: more
	// than limits.time, less than systemd's TimeoutStopSec.
	drainTime = 30 * time.Second
	// adminDrainTime is the same for requests of monitoring.
	adminDrainTime = time.Second
)

// stop ends the service. It first waits for open messages, and ends monitoring last.
// cancel ends the background tasks.
func (s *service) stop(cancel context.CancelFunc) error {
	s.stopping.Store(true)
	s.notify.stopping()
	s.names.halt()
	err := s.drain()
	cancel()
	ctx, done := context.WithTimeout(context.Background(), adminDrainTime)
	defer done()
	for _, server := range s.admin {
		if shutdown := server.Shutdown(ctx); shutdown != nil {
			err = errors.Join(err, server.Close())
		}
	}
	s.serving.Wait()
	s.history.Close()
	s.log.Info("stopped")
	return err
}

// drain waits for open messages until drainTime is over or a second signal to stop
// arrives.
func (s *service) drain() error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), drainTime, fmt.Errorf("not finished within %s", drainTime))
	defer cancel()
	ctx, hurry := context.WithCancelCause(ctx)
	defer hurry(nil)
	drained := make(chan error, 1)
	go func() { drained <- s.shutdown(ctx) }()
	for {
		select {
		case err := <-drained:
			return err
		case signal := <-s.options.Signals:
			if !isReload(signal) {
				s.log.Warn("stopping at once", "signal", signal.String())
				hurry(secondSignal{signal})
			}
		}
	}
}

// shutdown stops the servers for mail, all at once.
func (s *service) shutdown(ctx context.Context) error {
	other := make(chan error, 1)
	go func() {
		if s.contentFilter == nil {
			other <- nil
			return
		}
		other <- s.contentFilter.Shutdown(ctx)
	}()
	return errors.Join(s.milter.Shutdown(ctx), <-other)
}

// secondSignal is why the service did not wait for open messages.
type secondSignal struct{ os.Signal }

func (s secondSignal) Error() string { return "second signal: " + s.String() }
