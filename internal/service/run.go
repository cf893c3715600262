package service

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

// Options say what to run.
type Options struct {
	Config        string    // path of the configuration file; "": the defaults
	Milter        []string  // addresses to listen on instead of the file's milter.listen
	ContentFilter []string  // addresses to listen on instead of the file's content_filter.listen; milter.listen then does not count
	HTTP          []string  // addresses to listen on instead of the file's http.listen
	NextHop       string    // instead of the file's content_filter.next_hop
	Version       string    // version of the program
	Log           io.Writer // destination of the log
	// Signals has the signals of the process: SIGHUP reads the configuration again, any other stops
	// the service, and a second one stops it at once.
	Signals <-chan os.Signal
}

// A ConfigError says that the service did not start because of its configuration: a
// restart would not help.
type ConfigError struct{ Err error }

func (e *ConfigError) Error() string { return e.Err.Error() }
func (e *ConfigError) Unwrap() error { return e.Err }

// Run runs the service until ctx ends, a signal stops it, or a listener fails. Then it
// finishes open messages and accepts no new ones. The error is a ConfigError if the
// configuration is not valid.
func Run(ctx context.Context, o Options) error {
	s := &service{options: o, level: new(slog.LevelVar)}
	if err := s.prepare(); err != nil {
		return err
	}
	listening, err := listen(ctx, o, s.started, s.contentFilter != nil)
	if err != nil {
		return err
	}
	s.listening = listening
	background, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.start(background, listening)
	err = s.loop(ctx)
	return errors.Join(err, s.stop(cancel, err == nil))
}

// start starts the servers on the listeners. background ends the tasks that do not
// process messages.
func (s *service) start(background context.Context, all *listeners) {
	s.log.Info("start", "version", s.options.Version, "config", s.options.Config, "rules", len(s.file.RulesInForce()))
	if !engine.TablesAgree() {
		s.log.Warn("unicode tables differ in version, links with a non-ASCII host are not edited: build with Go 1.27 or newer")
	}
	s.names.log(s.log)
	logWarnings(s.log, s.file, s.listening.given)
	logKeys(s.log, s.file)
	s.failed = make(chan error, all.count())
	s.tune(s.file)
	for _, l := range all.milter {
		s.serve("milter", l, s.milter.Serve)
	}
	for _, l := range all.contentFilter {
		s.serve("smtp", l, s.contentFilter.Serve)
	}
	for _, l := range all.http {
		s.serve("http", l, s.http.Serve)
	}
	s.startAdmin(all)
	s.useHistory(s.file)
	s.names.run(s.file.TLDs.Refresh)
	s.metrics.Loaded(time.Now())
	s.ready.Store(true)
	s.serving.Go(func() { s.filter.lists.Run(background) })
	s.serving.Go(func() { s.notify.watch(background, s.healthy) })
	s.serving.Go(func() { clockWatch{s.log}.run(background) })
	s.serving.Go(func() { s.expireQuarantine(background) })
	s.serving.Go(func() { s.tellDaily(background) })
	s.notify.ready()
}

// loop handles signals and new lists. It returns nil for an orderly stop.
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
