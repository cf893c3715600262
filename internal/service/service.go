package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/admin"
	"github.com/linkmilter/linkmilter/internal/adminpage"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/correspondents"
	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/httpapi"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/logging"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/metrics"
	"github.com/linkmilter/linkmilter/internal/quarantine"
	"github.com/linkmilter/linkmilter/milter"
	"github.com/linkmilter/linkmilter/policy"
)

// service is a running service. Its fields belong to the goroutine of Run unless a
// comment says otherwise.
type service struct {
	options Options
	log     *slog.Logger
	level   *slog.LevelVar

	started       *config.File // configuration at the start, which the listeners and the log format still have
	file          *config.File // configuration in use for everything else
	listening     *listeners
	names         *names
	filter        current               // of any goroutine
	milter        *milter.Server        // of any goroutine
	contentFilter *contentfilter.Server // of any goroutine; nil without a next hop
	http          *httpapi.Server       // of any goroutine
	metrics       *metrics.Metrics
	history       *history.History // of any goroutine
	listed        *policy.Judge    // of any goroutine; for questions about the lists of others
	page          *adminpage.Page
	inForce       atomic.Pointer[config.File] // of any goroutine; the configuration that the page shows
	advice        advice                      // of any goroutine
	notUsed       atomic.Pointer[[]string]    // of any goroutine: problems of the file on disk, which is not in use
	waiting       atomic.Pointer[[]string]    // of any goroutine: keys whose changes wait for a restart
	notify        notifier

	ready    atomic.Bool // the service listens and is not stopping
	stopping atomic.Bool
	failed   chan error     // errors of listeners that ended
	serving  sync.WaitGroup // all goroutines of start
	admin    []*http.Server
}

// load reads the configuration file, or returns the defaults if no file is named.
func (s *service) load() (*config.File, error) {
	if s.options.Config == "" {
		file := config.Default()
		return &file, nil
	}
	return config.Load(s.options.Config)
}

// prepare makes all parts that do not need a socket.
func (s *service) prepare() error {
	file, err := s.load()
	if err != nil {
		return &ConfigError{err}
	}
	s.level.Set(slog.Level(file.Log.Level))
	s.metrics = metrics.New(metrics.Options{
		Version: s.options.Version,
		Node:    file.Service.Name(),
		Servers: map[string]func() mailserver.Stats{
			"milter": func() mailserver.Stats { return s.milter.Stats() },
			"smtp":   s.contentFilterStats,
			"http":   func() mailserver.Stats { return s.http.Stats() },
		},
		NextHop:     s.nextHopFailures,
		HistoryLost: func() uint64 { return s.history.Lost() },
		Lists:       func() []lists.State { return s.filter.lists.States() },
		DNSLists:    func() []dnslist.State { return s.filter.dns.States() },
		TLDs: func() (time.Time, int) {
			list := s.names.list()
			return list.Updated, list.Set.Len()
		},
	})
	s.metrics.AddRuntime()
	if s.log, err = logging.New(s.options.Log, logging.Format(file.Log.Format), s.level); err != nil {
		return &ConfigError{err}
	}
	s.log = logging.Observe(s.log, s.metrics.Warned).With("node", mailserver.Safe(file.Service.Name()))
	s.filter.node = file.Service.Node
	s.notify, s.advice.log = notifier{s.log}, s.log
	s.listening = new(listeners)
	if s.names, err = openNames(file, s.log); err != nil {
		return &ConfigError{err}
	}
	s.filter.correspondents = correspondents.New(s.log)
	s.filter.lists = lists.New(lists.Options{Log: s.log})
	s.filter.lists.Use(file.Sources())
	s.filter.dns = dnslist.New(s.log)
	s.filter.dns.Use(file.DNSLists())
	if err := s.filter.use(file, s.names.list()); err != nil {
		return &ConfigError{err}
	}
	if s.listed, err = policy.New(policy.Options{Lists: s.filter.lists.Quiet(), WithoutBrands: true}); err != nil {
		return &ConfigError{err}
	}
	s.history = history.New(file.Admin.Keep, s.log)
	s.page = adminpage.New(adminpage.Options{
		Version: s.options.Version, Node: file.Service.Name(), History: s.history, Renderings: file.Admin.Renderings,
		Filter: func() adminpage.Filter { return s.filter.judges.Load().filter },
		Rules:  s.rules, Allow: s.allowed, Names: s.namesInWords, Ready: s.isReady, Lists: s.filter.lists.States, DNSLists: s.filter.dns.States,
		Listed:     func(l engine.Link) []policy.Listed { return s.listed.Listed(l) },
		Quarantine: s.quarantineOf(file), QuarantineOff: quarantineOff(file), Log: s.log,
		Nodes: file.Admin.Nodes, Metrics: s.metrics.Handler(),
		Troubles: s.troubles, Marked: s.metrics.Marked,
	})
	s.inForce.Store(file)
	s.filter.observe = s.page.ObserveEdit
	if err := s.prepareServers(file); err != nil {
		return &ConfigError{err}
	}
	s.started, s.file = file, file
	return nil
}

// rules describes the rules in force for people.
func (s *service) rules() (list []adminpage.Rule) {
	for _, r := range s.inForce.Load().RulesInForce() {
		list = append(list, adminpage.Rule{Name: r.Name, Words: r.Words})
	}
	return list
}

// oldNames is the age of the list of top-level domains that the page warns of, as the alert does.
const oldNames = 400 * 24 * time.Hour

// troubles returns what an operator has to mend, for the page.
func (s *service) troubles() (all []adminpage.Trouble) {
	if problems := s.notUsed.Load(); problems != nil {
		all = append(all, adminpage.Trouble{
			What: "The configuration on disk is not in use", Detail: history.Bounded(strings.Join(*problems, "; ")),
			Advice: "correct it (linkmilter check-config names all problems), and reload",
		})
	}
	if keys := s.waiting.Load(); keys != nil && len(*keys) > 0 {
		all = append(all, adminpage.Trouble{What: "Changes of the configuration wait", Detail: strings.Join(*keys, ", "), Advice: "restart the service"})
	}
	if list := s.names.list(); !list.Updated.IsZero() && time.Since(list.Updated) > oldNames {
		all = append(all, adminpage.Trouble{
			What: "The list of top-level domains is old", Detail: "as of " + list.Updated.Format(time.DateOnly),
			Advice: "let the service reach IANA's server, set tlds.url, or upgrade",
		})
	}
	return all
}

// quarantineOf returns the quarantine of a configuration for the page, nil without one or without
// a password.
func (s *service) quarantineOf(file *config.File) *adminpage.Quarantine {
	if quarantineOff(file) != "" {
		return nil
	}
	return &adminpage.Quarantine{
		Open: func() (*quarantine.Folder, error) { return quarantine.Open(file.ContentFilter.Quarantine) },
		Release: func(ctx context.Context, folder *quarantine.Folder, name string) error {
			nextHop := cmp.Or(s.options.NextHop, file.ContentFilter.NextHop)
			o, err := file.ContentFilterOptions(nextHop, nil, nil)
			if err != nil {
				return err
			}
			host := o.Name
			if host == "" {
				if host, err = os.Hostname(); err != nil {
					return err
				}
			}
			var tags []string
			for _, r := range s.inForce.Load().Rules {
				tags = append(tags, r.SubjectTag)
			}
			return folder.Release(ctx, o.NextHop, host, name, tags...)
		},
	}
}

// quarantineOff says why the page has no quarantine, "" where it has one.
func quarantineOff(file *config.File) string {
	switch {
	case file.ContentFilter.Quarantine == "":
		return "linkmilter keeps no messages in quarantine here: content_filter.quarantine names no folder. What Postfix holds for a milter is in its queue: see mailq."
	case file.Admin.PasswordHash() == "":
		return "The page shows the quarantine only with a password (admin.password or admin.password_file), as whoever opens it can then read mail. The commands need none: linkmilter quarantine list."
	}
	return ""
}

// allowed returns the entries of policy.allow.
func (s *service) allowed() []string { return s.inForce.Load().Policy.Allow }

// useHistory keeps flagged messages, and whom users write to, where the file says.
func (s *service) useHistory(file *config.File) {
	s.history.KeepSubjects(file.Admin.HistorySubjects)
	s.history.Use(file.Admin.History, file.Admin.Retention())
	s.filter.correspondents.Use(file.Correspondents.Options())
}

// degraded says what does not work although mail is still processed.
func (s *service) degraded() string {
	var lines []string
	if state := s.history.State(); state.Problem != nil {
		lines = append(lines, fmt.Sprintf("history not written: %v: %s", state.Problem, state.Advice))
	}
	if state := s.filter.correspondents.State(); state.Problem != nil {
		lines = append(lines, fmt.Sprintf("correspondents not written: %v: %s", state.Problem, state.Advice))
	}
	if err := s.filter.correspondents.State().Alone; err != nil {
		lines = append(lines, fmt.Sprintf("correspondents not shared: %v", err))
	}
	return strings.Join(lines, "\n")
}

// namesInWords says how old the list of top-level domains is, and how many correspondents are watched.
func (s *service) namesInWords() string {
	list := s.names.list()
	words := fmt.Sprintf("Knows %d top-level domains, as of %s.", list.Set.Len(), list.Updated.Format(time.DateOnly))
	if known := s.filter.correspondents.State(); known.File != "" {
		words += fmt.Sprintf(" Watches %d domains that your users write to, and knows %d addresses.", known.Domains, known.Addresses)
	}
	return words
}

// contentFilterStats returns the statistics of the content filter, zeros if it does not run.
func (s *service) contentFilterStats() (n mailserver.Stats) {
	if s.contentFilter != nil {
		n = s.contentFilter.Stats()
	}
	return n
}

// nextHopFailures returns how often the content filter's next hop failed.
func (s *service) nextHopFailures() (n uint64) {
	if s.contentFilter != nil {
		n = s.contentFilter.Failures()
	}
	return n
}

// prepareServers makes the servers.
func (s *service) prepareServers(file *config.File) (err error) {
	observe := func(e *mailserver.Event) {
		s.metrics.Message(e)
		s.page.Observe(e)
		s.names.unknown(e.Report)
		s.advice.signedBefore(e.Report, time.Now())
	}
	learning := func(e *mailserver.Event) {
		observe(e)
		s.filter.correspondents.Learn(e, time.Now())
	}
	milterOptions := file.MilterOptions(&s.filter, s.log)
	milterOptions.Observe = learning
	if s.milter, err = milter.NewServer(milterOptions); err != nil {
		return err
	}
	httpOptions := file.HTTPOptions(&s.filter, s.log)
	httpOptions.Observe, httpOptions.ObserveRequest = observe, s.metrics.Request
	httpOptions.Judges = func() (*filter.Filter, *explain.Explainer) {
		j := s.filter.judges.Load()
		return j.filter, j.explainer
	}
	if s.http, err = httpapi.NewServer(httpOptions); err != nil {
		return err
	}
	nextHop := cmp.Or(s.options.NextHop, file.ContentFilter.NextHop)
	if nextHop == "" {
		return nil
	}
	options, err := file.ContentFilterOptions(nextHop, &s.filter, s.log)
	if err != nil {
		return err
	}
	options.Observe = learning
	s.contentFilter, err = contentfilter.NewServer(options)
	return err
}

// healthy returns an error if the service does not work. A service that is stopping
// counts as healthy.
func (s *service) healthy(ctx context.Context) error {
	err := s.milter.Probe(ctx)
	if err == nil && s.contentFilter != nil {
		err = s.contentFilter.Probe(ctx)
	}
	if err == nil && len(s.listening.http) > 0 {
		err = s.http.Probe(ctx)
	}
	if closed(err) && s.stopping.Load() {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.filter.probe(ctx); err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	return nil
}

// isReady returns an error if the service does not accept mail now.
func (s *service) isReady() error {
	switch {
	case s.stopping.Load():
		return errors.New("stopping")
	case !s.ready.Load():
		return errors.New("starting")
	}
	return nil
}

// tune tunes garbage collection for the running servers: each may use limits.memory.
func (s *service) tune(file *config.File) {
	servers := int64(0)
	for _, open := range [][]net.Listener{s.listening.milter, s.listening.contentFilter, s.listening.http} {
		if len(open) > 0 {
			servers++
		}
	}
	tuneCollector(servers * int64(file.Limits.Memory))
}

// serve runs a server on a listener until it is stopped or fails.
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

// closed reports whether the error of a mail server says that it was stopped.
func closed(err error) bool {
	return errors.Is(err, mailserver.ErrServerClosed)
}

// startAdmin starts monitoring and the profiler.
func (s *service) startAdmin(all *listeners) {
	server := admin.NewServer(admin.Handler(admin.Options{
		Hosts:    s.started.Admin.Hosts,
		Metrics:  s.metrics.Handler(),
		Healthy:  s.healthy,
		Degraded: s.degraded,
		Ready:    s.isReady,
		Page:     s.page,
		Password: s.started.Admin.PasswordHash(),
		Log:      s.log,
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
