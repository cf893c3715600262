package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/logging"
	"github.com/linkmilter/linkmilter/internal/metrics"
	"github.com/linkmilter/linkmilter/internal/outcome"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/milter"
)

// Options say what to run.
type Options struct {
	Config  string    // path of the configuration file; "": the defaults
	Milter  []string  // addresses to listen on in place of the file's milter.listen
	SMTP    []string  // addresses to listen on in place of the file's content_filter.listen; those for milters then do not count
	NextHop string    // in place of the file's content_filter.next_hop
	Version string    // of the program
	Log     io.Writer // where the log goes
	// Signals are those of the process: SIGHUP reads the configuration again,
	// any other stops the service, and a second one stops it at once.
	Signals <-chan os.Signal
}

// A ConfigError says that the service did not start because of how it is
// configured: to start it again would not help.
type ConfigError struct{ Err error }

func (e *ConfigError) Error() string { return e.Err.Error() }
func (e *ConfigError) Unwrap() error { return e.Err }

// service is a service that runs. Its fields belong to the goroutine of Run,
// unless they say otherwise.
type service struct {
	options Options
	log     *slog.Logger
	level   *slog.LevelVar

	started *config.File // what listeners and the log's format are made of
	file    *config.File // what all else is made of
	passed  passed       // for what systemd passed sockets
	names   *names
	filter  current               // of any goroutine
	milter  *milter.Server        // of any goroutine
	smtp    *contentfilter.Server // of any goroutine; nil where no next hop is known
	metrics *metrics.Metrics
	advice  advice // of any goroutine
	notify  notifier

	ready    atomic.Bool // listening, and not stopping
	stopping atomic.Bool
	failed   chan error     // listeners that cannot go on
	serving  sync.WaitGroup // everything that was started
	admin    []*http.Server
}

// Run runs the service until ctx ends, a signal stops it, or a listener fails.
// Then no new message is taken, and those in hand are finished. The error is a
// ConfigError where the configuration is to blame.
func Run(ctx context.Context, o Options) error {
	s := &service{options: o, level: new(slog.LevelVar)}
	if err := s.prepare(); err != nil {
		return err
	}
	listening, err := s.listen(ctx)
	if err != nil {
		return err
	}
	background, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.start(background, listening)
	err = s.loop(ctx)
	return errors.Join(err, s.stop(cancel))
}

// load reads the configuration file, if there is one.
func (s *service) load() (*config.File, error) {
	if s.options.Config == "" {
		file := config.Default()
		return &file, nil
	}
	return config.Load(s.options.Config)
}

// prepare makes everything that needs no socket.
func (s *service) prepare() error {
	file, err := s.load()
	if err != nil {
		return &ConfigError{err}
	}
	s.level.Set(slog.Level(file.Log.Level))
	if s.log, err = logging.New(s.options.Log, logging.Format(file.Log.Format), s.level); err != nil {
		return &ConfigError{err}
	}
	s.notify, s.advice.log = notifier{s.log}, s.log
	if s.names, err = openNames(file, s.log); err != nil {
		return &ConfigError{err}
	}
	if err := s.filter.use(file, s.names.list()); err != nil {
		return &ConfigError{err}
	}
	s.metrics = metrics.New(metrics.Options{
		Version: s.options.Version,
		Servers: map[string]func() milter.Stats{
			"milter": func() milter.Stats { return s.milter.Stats() },
			"smtp":   s.smtpStats,
		},
		NextHop: s.nextHopFailures,
		TLDs: func() (time.Time, int) {
			list := s.names.list()
			return list.Updated, list.Set.Len()
		},
	})
	s.metrics.AddRuntime()
	if err := s.prepareServers(file); err != nil {
		return &ConfigError{err}
	}
	s.tune(file)
	s.started, s.file = file, file
	return nil
}

// smtpStats returns the numbers of the content filter, zeros where there is none.
func (s *service) smtpStats() (n contentfilter.Stats) {
	if s.smtp != nil {
		n = s.smtp.Stats()
	}
	return n
}

// nextHopFailures returns how often the content filter's next hop failed.
func (s *service) nextHopFailures() (n uint64) {
	if s.smtp != nil {
		n = s.smtp.Failures()
	}
	return n
}

// prepareServers makes the servers for mail.
func (s *service) prepareServers(file *config.File) (err error) {
	observe := func(e *outcome.Event) {
		s.metrics.Message(e)
		s.names.unknown(e.Report)
		s.advice.signedBefore(e.Report, time.Now())
	}
	options := file.Server(&s.filter, s.log)
	options.Observe = observe
	if s.milter, err = milter.NewServer(options); err != nil {
		return err
	}
	nextHop := cmp.Or(s.options.NextHop, file.ContentFilter.NextHop)
	if nextHop == "" {
		return nil
	}
	smtp, err := file.SMTPServer(nextHop, &s.filter, s.log)
	if err != nil {
		return err
	}
	smtp.Observe = observe
	s.smtp, err = contentfilter.NewServer(smtp)
	return err
}

// start serves on the listeners. background ends what is not a message.
func (s *service) start(background context.Context, all *listeners) {
	s.log.Info("start", "version", s.options.Version, "config", s.options.Config, "rules", len(s.file.Rules))
	if !engine.TablesAgree() {
		s.log.Warn("unicode tables differ in version: links whose host is not ASCII are not edited; build with Go 1.27 or newer")
	}
	s.names.log(s.log)
	logKeys(s.log, s.file)
	s.failed = make(chan error, all.count())
	for _, l := range all.milter {
		s.serve("milter", l, s.milter.Serve)
	}
	for _, l := range all.smtp {
		s.serve("smtp", l, s.smtp.Serve)
	}
	s.startAdmin(all)
	s.names.run(s.file.TLDs.Refresh)
	s.metrics.Loaded(time.Now())
	s.ready.Store(true)
	s.serving.Go(func() { s.watch(background) })
	s.notify.ready()
}

// loop does what signals and news ask for. It returns nil to stop in order.
func (s *service) loop(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			s.log.Info("stopping")
			return nil
		case err := <-s.failed:
			s.log.Error("stopping", "error", err)
			return err
		case list := <-s.names.news:
			s.useNames(list)
		case signal := <-s.options.Signals:
			if isReload(signal) {
				s.reload()
				continue
			}
			s.log.Info("stopping", "signal", signal.String())
			return nil
		}
	}
}

// useNames replaces the top-level domains of the filter.
func (s *service) useNames(list *tlds.List) {
	if err := s.filter.use(s.file, list); err != nil {
		s.log.Error("top-level domains not used", "version", list.Version, "error", err)
		return
	}
	s.log.Info("top-level domains in use", "version", list.Version, "names", list.Set.Len())
}

// healthy says why the service does not do its work, or nil. While it stops, it
// need not.
func (s *service) healthy(ctx context.Context) error {
	err := s.milter.Probe(ctx)
	if err == nil && s.smtp != nil {
		err = s.smtp.Probe(ctx)
	}
	if closed(err) && s.stopping.Load() {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.filter.probe(ctx); err != nil {
		return fmt.Errorf("the filter: %w", err)
	}
	return nil
}

// isReady says why no mail server should be sent here, or nil.
func (s *service) isReady() error {
	switch {
	case s.stopping.Load():
		return errors.New("stopping")
	case !s.ready.Load():
		return errors.New("starting")
	}
	return nil
}
