package service

import (
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

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/logging"
	"github.com/linkmilter/linkmilter/internal/metrics"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/milter"
)

// Options say what to run.
type Options struct {
	Config  string    // path of the configuration file; "": the defaults
	Milter  []string  // addresses to listen on in place of the file's milter.listen
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
	passed  bool         // systemd passed sockets for the milter
	names   *names
	filter  current        // of any goroutine
	server  *milter.Server // of any goroutine
	metrics *metrics.Metrics
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
	s.notify = notifier{s.log}
	if s.names, err = openNames(file, s.log); err != nil {
		return &ConfigError{err}
	}
	if err := s.filter.use(file, s.names.list()); err != nil {
		return &ConfigError{err}
	}
	s.metrics = metrics.New(metrics.Options{
		Version: s.options.Version,
		Server:  func() milter.Stats { return s.server.Stats() },
		TLDs: func() (time.Time, int) {
			list := s.names.list()
			return list.Updated, list.Set.Len()
		},
	})
	s.metrics.AddRuntime()
	options := file.Server(&s.filter, s.log)
	options.Observe = func(e *milter.Event) {
		s.metrics.Message(e)
		s.names.unknown(e.Report)
	}
	if s.server, err = milter.NewServer(options); err != nil {
		return &ConfigError{err}
	}
	s.started, s.file = file, file
	return nil
}

// start serves on the listeners. background ends what is not a message.
func (s *service) start(background context.Context, all *listeners) {
	s.log.Info("start", "version", s.options.Version, "config", s.options.Config, "rules", len(s.file.Rules))
	if !engine.TablesAgree() {
		s.log.Warn("unicode tables differ in version: links whose host is not ASCII are not edited; build with Go 1.27 or newer")
	}
	s.names.log(s.log)
	s.failed = make(chan error, all.count())
	for _, l := range all.milter {
		s.serve("milter", l, s.server.Serve)
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
	err := s.server.Probe(ctx)
	if errors.Is(err, milter.ErrServerClosed) && s.stopping.Load() {
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
