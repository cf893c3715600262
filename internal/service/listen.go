package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"

	"github.com/coreos/go-systemd/v22/activation"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/internal/admin"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/milter"
)

// FileDescriptorName= of passed sockets: for monitoring, and for mail servers
// that speak SMTP; those of other names are for mail servers that speak the milter
// protocol.
const (
	adminSocket = "admin"
	smtpSocket  = "smtp"
)

// profilerMode are the permissions of the profiler's socket.
const profilerMode = 0o600

// listeners are all that is listened on.
type listeners struct {
	milter, smtp, admin []net.Listener
	profiler            net.Listener // or nil
}

func (l *listeners) count() int { return len(l.milter) + len(l.smtp) + len(l.admin) + 1 }

func (l *listeners) close() error {
	var errs []error
	for _, open := range slices.Concat(l.milter, l.smtp, l.admin) {
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
	s.passed = passed{milter: len(all.milter) > 0, smtp: len(all.smtp) > 0}
	errs := []error{
		err,
		listenFor(ctx, "milter", s.started.Listen(), s.milterAddresses(), &all.milter),
		listenFor(ctx, "smtp", s.started.ListenSMTP(), s.smtpAddresses(), &all.smtp),
	}
	if len(all.smtp) > 0 && s.smtp == nil {
		errs = append(errs, &ConfigError{errors.New("no next hop: where messages go on to that come in over SMTP (content_filter.next_hop or --next-hop)")})
	}
	if len(all.milter)+len(all.smtp) == 0 && errors.Join(errs...) == nil {
		errs = append(errs, &ConfigError{errors.New("no address to listen on: milter.listen and content_filter.listen are empty")})
	}
	errs = append(errs, s.listenAdmin(ctx, all))
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, all.close())
	}
	return all, nil
}

// listenFor checks the listeners that were passed, and adds those for addresses.
func listenFor(ctx context.Context, what string, how milter.ListenConfig, addresses []string, open *[]net.Listener) error {
	var errs []error
	for _, l := range *open {
		if err := how.CheckListener(l); err != nil {
			errs = append(errs, &ConfigError{fmt.Errorf("passed socket: %w", err)})
		}
	}
	for _, address := range addresses {
		if err := how.Check(address); err != nil {
			errs = append(errs, &ConfigError{err})
		} else if l, err := how.Listen(ctx, address); err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", what, address, err))
		} else {
			*open = append(*open, l)
		}
	}
	return errors.Join(errs...)
}

// passed says for what systemd passed sockets.
type passed struct{ milter, smtp bool }

// milterAddresses are those of the command line, or else those of the file. The
// latter do not count where systemd passed sockets, or the command line says
// that SMTP is to be spoken.
func (s *service) milterAddresses() []string {
	if s.milterGiven() {
		return s.options.Milter
	}
	return s.started.Milter.Listen
}

// milterGiven reports whether it is not for the file to say where the milter
// listens.
func (s *service) milterGiven() bool {
	return len(s.options.Milter) > 0 || len(s.options.SMTP) > 0 || s.passed.milter || s.passed.smtp
}

// smtpAddresses are likewise those of the content filter, as milters write them.
func (s *service) smtpAddresses() []string {
	addresses := s.started.ContentFilter.Listen
	if s.smtpGiven() {
		addresses = s.options.SMTP
	}
	var list []string
	for _, address := range addresses {
		list = append(list, config.SMTPAddress(address))
	}
	return list
}

func (s *service) smtpGiven() bool { return len(s.options.SMTP) > 0 || s.passed.smtp }

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
		case file.Name() == smtpSocket:
			all.smtp = append(all.smtp, l)
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
		if err != nil && !closed(err) && !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("%s %s: %w", what, address, err)
		}
	})
}

// closed reports whether a server for mail ended because it was told to.
func closed(err error) bool {
	return errors.Is(err, milter.ErrServerClosed) || errors.Is(err, contentfilter.ErrServerClosed)
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
