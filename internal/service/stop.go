package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

const (
	// finishTime is how long open messages may take after a signal to stop: more
	// than limits.time, less than systemd's TimeoutStopSec.
	finishTime = 30 * time.Second
	// adminDrainTime is how long requests of monitoring may take then.
	adminDrainTime = time.Second
)

// stop ends the service. In an orderly stop it first waits for load balancers. Then it waits for
// open messages, and ends monitoring last. cancel ends the background tasks.
func (s *service) stop(cancel context.CancelFunc, inOrder bool) error {
	s.stopping.Store(true)
	s.notify.stopping()
	s.names.halt()
	var err error
	if inOrder {
		err = s.drain()
	}
	err = errors.Join(err, s.finish())
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
	s.filter.correspondents.Close()
	s.log.Info("stopped")
	return err
}

// drain still accepts mail until all load balancers have seen that the service is not ready, so
// that no connection is refused. A second signal to stop ends it. The error is that of a listener
// that failed.
func (s *service) drain() error {
	wait := time.Duration(s.file.Service.Drain)
	if wait == 0 {
		return nil
	}
	s.log.Info("draining", "for", wait)
	s.notify.extend(wait + finishTime + adminDrainTime)
	over := time.After(wait)
	for {
		select {
		case <-over:
			return nil
		case err := <-s.failed:
			s.log.Error("draining no longer", "error", err)
			return err
		case signal := <-s.options.Signals:
			if !isReload(signal) {
				s.log.Warn("draining no longer", "signal", signal.String())
				return nil
			}
		}
	}
}

// finish waits for open messages until finishTime is over or a further signal to stop
// arrives.
func (s *service) finish() error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), finishTime, fmt.Errorf("not finished within %s", finishTime))
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

// shutdown stops the servers, all at once.
func (s *service) shutdown(ctx context.Context) error {
	ended := make(chan error)
	shutdowns := []func(context.Context) error{s.milter.Shutdown, s.http.Shutdown}
	if s.contentFilter != nil {
		shutdowns = append(shutdowns, s.contentFilter.Shutdown)
	}
	for _, shutdown := range shutdowns {
		go func() { ended <- shutdown(ctx) }()
	}
	var errs []error
	for range shutdowns {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

// secondSignal is the error of a service that did not wait for open messages because of another
// signal.
type secondSignal struct{ os.Signal }

func (s secondSignal) Error() string { return "second signal: " + s.String() }
