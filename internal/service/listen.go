package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/coreos/go-systemd/v22/activation"

	"github.com/linkmilter/linkmilter/internal/admin"
	"github.com/linkmilter/linkmilter/milter"
)

// adminSocket is the FileDescriptorName= of a passed socket that is for
// monitoring; those of other names are for mail servers.
const adminSocket = "admin"

// profilerMode are the permissions of the profiler's socket.
const profilerMode = 0o600

// listeners are all that is listened on.
type listeners struct {
	milter, admin []net.Listener
	profiler      net.Listener // or nil
}

func (l *listeners) count() int { return len(l.milter) + len(l.admin) + 1 }

func (l *listeners) close() error {
	var errs []error
	for _, open := range append(append([]net.Listener{}, l.milter...), l.admin...) {
		errs = append(errs, open.Close())
	}
	if l.profiler != nil {
		errs = append(errs, l.profiler.Close())
	}
	return errors.Join(errs...)
}

// listen opens every listener, or none: then the error names all that did not
// work. It is a ConfigError where an address makes no sense.
func (s *service) listen(ctx context.Context) (*listeners, error) {
	all, err := passedSockets()
	errs := []error{err}
	s.passed = len(all.milter) > 0
	how := s.started.Listen()
	for _, l := range all.milter {
		if err := how.CheckListener(l); err != nil {
			errs = append(errs, &ConfigError{fmt.Errorf("passed socket: %w", err)})
		}
	}
	for _, address := range s.addresses() {
		if err := how.Check(address); err != nil {
			errs = append(errs, &ConfigError{err})
		} else if l, err := how.Listen(ctx, address); err != nil {
			errs = append(errs, fmt.Errorf("milter %s: %w", address, err))
		} else {
			all.milter = append(all.milter, l)
		}
	}
	if len(all.milter) == 0 && errors.Join(errs...) == nil {
		errs = append(errs, &ConfigError{errors.New("no address to listen on: milter.listen is empty")})
	}
	errs = append(errs, s.listenAdmin(ctx, all))
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, all.close())
	}
	return all, nil
}

// addresses are those of the command line, or else those of the file, unless
// systemd passed sockets in their place.
func (s *service) addresses() []string {
	switch {
	case len(s.options.Milter) > 0:
		return s.options.Milter
	case s.passed:
		return nil
	}
	return s.started.Milter.Listen
}

func (s *service) listenAdmin(ctx context.Context, all *listeners) error {
	var errs []error
	settings := s.started.Admin
	if settings.Listen != "" && len(all.admin) == 0 {
		var how net.ListenConfig
		if l, err := how.Listen(ctx, "tcp", settings.Listen); err != nil {
			errs = append(errs, fmt.Errorf("admin.listen: %w", err))
		} else {
			all.admin = append(all.admin, l)
		}
	}
	if settings.Pprof != "" {
		how := milter.ListenConfig{SocketMode: profilerMode}
		if l, err := how.Listen(ctx, "unix:"+settings.Pprof); err != nil {
			errs = append(errs, fmt.Errorf("admin.pprof: %w", err))
		} else {
			all.profiler = l
		}
	}
	return errors.Join(errs...)
}

// passedSockets returns the sockets that systemd opened for this process
// (sd_listen_fds(3)).
func passedSockets() (*listeners, error) {
	all := &listeners{}
	var errs []error
	for _, file := range activation.Files(true) {
		l, err := net.FileListener(file)
		errs = append(errs, file.Close()) // the listener has a duplicate
		switch {
		case err != nil:
			errs = append(errs, &ConfigError{fmt.Errorf("passed socket %q: not one to accept connections on: %w", file.Name(), err)})
		case file.Name() == adminSocket:
			all.admin = append(all.admin, l)
		default:
			all.milter = append(all.milter, l)
		}
	}
	return all, errors.Join(errs...)
}

// serve runs a server on a listener, until stop or until it fails.
func (s *service) serve(what string, l net.Listener, serve func(net.Listener) error) {
	address := l.Addr().Network() + ":" + l.Addr().String()
	s.log.Info("listening", "for", what, "address", address)
	s.serving.Go(func() {
		err := serve(l)
		if err != nil && !errors.Is(err, milter.ErrServerClosed) && !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("%s %s: %w", what, address, err)
		}
	})
}

// startAdmin serves monitoring and the profiler.
func (s *service) startAdmin(all *listeners) {
	server := admin.NewServer(admin.Handler(admin.Options{
		Hosts:   s.started.Admin.Hosts,
		Metrics: s.metrics.Handler(),
		Healthy: s.healthy,
		Ready:   s.isReady,
	}), s.log)
	s.admin = append(s.admin, server)
	for _, l := range all.admin {
		s.serve("admin", l, server.Serve)
	}
	if all.profiler != nil {
		profiler := admin.NewProfiler(s.log)
		s.admin = append(s.admin, profiler)
		s.serve("pprof", all.profiler, profiler.Serve)
	}
}
