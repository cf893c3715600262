package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/coreos/go-systemd/v22/activation"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// FileDescriptorName= of passed sockets: for monitoring, for the content filter and for
// the HTTP API. Sockets with other names are for the milter.
const (
	adminSocket         = "admin"
	contentFilterSocket = "smtp"
	httpSocket          = "http"
)

// profilerMode are the permissions of the profiler's socket.
const profilerMode = 0o600

// listeners are all listeners of the service.
type listeners struct {
	milter, contentFilter, http, admin []net.Listener
	profiler                           net.Listener // or nil
	given                              given
}

func (l *listeners) count() int {
	return len(l.milter) + len(l.contentFilter) + len(l.http) + len(l.admin) + 1
}

func (l *listeners) close() error {
	var errs []error
	for _, open := range slices.Concat(l.milter, l.contentFilter, l.http, l.admin) {
		errs = append(errs, open.Close())
	}
	if l.profiler != nil {
		errs = append(errs, l.profiler.Close())
	}
	return errors.Join(errs...)
}

// given tells for which protocols the addresses come from the command line or
// systemd, instead of the file.
type given struct{ milter, contentFilter, http bool }

// listen opens all listeners, or none: then the error names all that failed. It is a
// ConfigError if an address is not valid. forwards reports whether the content filter
// has a next hop.
func listen(ctx context.Context, o Options, file *config.File, forwards bool) (*listeners, error) {
	all, err := passedSockets()
	// Passed sockets and --smtp also replace the file's addresses for milters.
	all.given.contentFilter = len(o.ContentFilter) > 0 || len(all.contentFilter) > 0
	all.given.milter = len(o.Milter) > 0 || len(all.milter) > 0 || all.given.contentFilter
	all.given.http = len(o.HTTP) > 0 || len(all.http) > 0
	if o.Config == "" && len(o.HTTP) > 0 {
		all.given.milter = true // --http alone
	}
	errs := []error{
		err,
		listenFor(ctx, "milter", file.ListenMilter(), addresses(all.given.milter, o.Milter, file.Milter.Listen), &all.milter),
		listenFor(ctx, "smtp", file.ListenContentFilter(), withSchemes(addresses(all.given.contentFilter, o.ContentFilter, file.ContentFilter.Listen)), &all.contentFilter),
		all.listenHTTP(ctx, o, file),
	}
	if len(all.contentFilter) > 0 && !forwards {
		errs = append(errs, &ConfigError{errors.New("content filter: no next hop (want content_filter.next_hop or --next-hop)")})
	}
	if len(all.contentFilter) == 0 && o.NextHop != "" && errors.Join(errs...) == nil {
		errs = append(errs, &ConfigError{errors.New("--next-hop: no address to take mail for it (want --smtp or content_filter.listen)")})
	}
	if len(all.milter)+len(all.contentFilter)+len(all.http) == 0 && errors.Join(errs...) == nil {
		errs = append(errs, &ConfigError{errors.New("no address to listen on (want milter.listen, content_filter.listen or http.listen)")})
	}
	errs = append(errs, all.openAdmin(ctx, file.Admin))
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, all.close())
	}
	return all, nil
}

// listenFor checks the passed listeners, and opens those for the addresses.
func listenFor(ctx context.Context, what string, how mailserver.ListenConfig, addresses []string, open *[]net.Listener) error {
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

// addresses returns the addresses of the command line if given is set, otherwise those of the file.
func addresses(given bool, flags, file []string) []string {
	if given {
		return flags
	}
	return file
}

// withSchemes returns addresses in milter notation.
func withSchemes(addresses []string) []string {
	var list []string
	for _, address := range addresses {
		list = append(list, mailserver.WithScheme(address))
	}
	return list
}

// listenHTTP opens the listeners of the HTTP API.
func (l *listeners) listenHTTP(ctx context.Context, o Options, file *config.File) error {
	if err := l.checkHTTP(o, &file.HTTP); err != nil {
		return err
	}
	from := withSchemes(addresses(l.given.http, o.HTTP, file.HTTP.Listen))
	return listenFor(ctx, "http", file.ListenHTTP(), from, &l.http)
}

// checkHTTP returns a ConfigError if other machines can reach the HTTP API on a given address or a
// passed socket although the keys that this needs are not set.
func (l *listeners) checkHTTP(o Options, settings *config.HTTP) error {
	var errs []error
	for _, passed := range l.http {
		errs = append(errs, settings.CheckListener(passed))
	}
	for _, address := range o.HTTP {
		errs = append(errs, settings.CheckAddress(address))
	}
	if err := errors.Join(errs...); err != nil {
		return &ConfigError{fmt.Errorf("HTTP API: %w", err)}
	}
	return nil
}

// openAdmin opens the listeners for monitoring and the profiler.
func (l *listeners) openAdmin(ctx context.Context, settings config.Admin) error {
	var errs []error
	for _, passed := range l.admin {
		if err := settings.CheckListener(passed); err != nil {
			errs = append(errs, &ConfigError{fmt.Errorf("passed socket: %w", err)})
		}
	}
	if settings.Listen != "" && len(l.admin) == 0 {
		if opened, err := listenAdmin(ctx, settings); err != nil {
			errs = append(errs, fmt.Errorf("admin.listen: %w", err))
		} else {
			l.admin = append(l.admin, opened)
		}
	}
	if settings.Pprof != "" {
		how := mailserver.ListenConfig{SocketMode: profilerMode}
		if opened, err := how.Listen(ctx, "unix:"+settings.Pprof); err != nil {
			errs = append(errs, fmt.Errorf("admin.pprof: %w", err))
		} else {
			l.profiler = opened
		}
	}
	return errors.Join(errs...)
}

// listenAdmin opens the listener for monitoring.
func listenAdmin(ctx context.Context, settings config.Admin) (net.Listener, error) {
	if settings.IsSocket() {
		return settings.ListenSocket().Listen(ctx, settings.Listen)
	}
	var how net.ListenConfig
	return how.Listen(ctx, "tcp", settings.Listen)
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
			errs = append(errs, &ConfigError{fmt.Errorf("passed socket %q: not a listening socket: %w", file.Name(), err)})
		case file.Name() == adminSocket:
			all.admin = append(all.admin, l)
		case file.Name() == contentFilterSocket:
			all.contentFilter = append(all.contentFilter, l)
		case file.Name() == httpSocket:
			all.http = append(all.http, l)
		default:
			all.milter = append(all.milter, l)
		}
	}
	return all, errors.Join(errs...)
}
