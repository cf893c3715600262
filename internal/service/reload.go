package service

import (
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

func isReload(signal os.Signal) bool { return signal == syscall.SIGHUP }

// reload reads the configuration again and applies the changes that do not need a
// restart. If the configuration has a problem, it changes nothing.
func (s *service) reload() {
	s.notify.reloading()
	defer s.notify.ready()
	file, keeper, err := s.reread()
	if err != nil {
		s.metrics.NotLoaded()
		list := problems(err)
		s.notUsed.Store(&list)
		for _, problem := range list {
			s.log.Error("configuration not used", "problem", problem)
		}
		s.log.Error("old configuration stays in use")
		return
	}
	s.notUsed.Store(nil)
	changed := config.Changes(s.file, file)
	s.names.replace(keeper, file.TLDs.Refresh)
	s.filter.lists.Use(file.Sources())
	s.filter.dns.Use(file.DNSLists())
	s.level.Set(slog.Level(file.Log.Level))
	s.setDetails(file)
	s.http.SetCredentials(file.HTTP.Credentials())
	s.inForce.Store(file)
	s.useHistory(file)
	s.tune(file)
	s.file = file
	s.metrics.Loaded(time.Now())
	waiting := s.needRestart(file)
	s.waiting.Store(&waiting)
	changed = slices.DeleteFunc(changed, func(key string) bool { return slices.Contains(waiting, key) })
	s.log.Info("configuration in use", "config", s.options.Config, "changed", changed, "rules", len(file.RulesInForce()))
	s.names.log(s.log)
	logWarnings(s.log, file, s.listening.given)
	logKeys(s.log, file)
	if len(waiting) > 0 {
		s.log.Warn("changes that need a restart", "keys", waiting)
	}
}

// reread reads and checks the configuration, and gives it to the filter and the
// servers. The later steps of a reload cannot fail.
func (s *service) reread() (*config.File, *tlds.Keeper, error) {
	file, err := s.load()
	if err != nil {
		return nil, nil, err
	}
	keeper, err := s.names.reopened(s.file, file, s.log)
	if err != nil {
		return nil, nil, err
	}
	if err := s.listening.checkHTTP(s.options, &file.HTTP); err != nil {
		return nil, nil, err
	}
	before := s.filter.judges.Load()
	if err := s.filter.use(file, keeper.Current()); err != nil {
		return nil, nil, err
	}
	if err := s.setLimits(file); err != nil {
		s.filter.judges.Store(before)
		return nil, nil, err
	}
	return file, keeper, nil
}

// setDetails sets which details of messages the log has.
func (s *service) setDetails(file *config.File) {
	s.milter.SetDetails(file.Log.Details())
	if s.contentFilter != nil {
		s.contentFilter.SetDetails(file.Log.Details())
	}
	s.http.SetDetails(file.Log.Details())
}

// setLimits sets the limits of the file on all servers, or on none.
func (s *service) setLimits(file *config.File) error {
	limits := file.Work()
	if s.contentFilter != nil {
		if err := s.contentFilter.SetLimits(limits); err != nil {
			return err
		}
	}
	// All servers check limits in the same way.
	return errors.Join(s.milter.SetLimits(limits), s.http.SetLimits(limits))
}

// problems returns the lines to log for an error: one per problem of a file.
func problems(err error) []string {
	var list config.Problems
	if !errors.As(err, &list) {
		return []string{err.Error()}
	}
	lines := make([]string, len(list))
	for i, p := range list {
		lines[i] = p.String()
	}
	return lines
}

// needRestart returns the keys whose changes since the start of the process need a
// restart.
func (s *service) needRestart(file *config.File) []string {
	return slices.DeleteFunc(config.Changes(s.started, file), func(key string) bool {
		switch {
		case key == "milter.listen":
			return s.listening.given.milter // otherwise the file does not decide it
		case key == "content_filter.listen":
			return s.listening.given.contentFilter
		case key == "http.listen":
			return s.listening.given.http
		case key == "http.tls_cert", key == "http.tls_key", key == "http.token_file":
			return true
		case key == "content_filter.next_hop":
			return s.options.NextHop != ""
		case key == "admin.history", strings.HasPrefix(key, "correspondents."), strings.HasPrefix(key, "admin.history_"):
			return true
		case key == "log.format", key == "service.node", strings.HasPrefix(key, "milter."), strings.HasPrefix(key, "content_filter."), strings.HasPrefix(key, "digest."),
			strings.HasPrefix(key, "http."), strings.HasPrefix(key, "admin."):
			return false
		}
		return true
	})
}
