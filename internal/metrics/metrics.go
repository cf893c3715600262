package metrics

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/policy"
)

// Options are the sources of the metrics that do not count messages. The functions are
// called when the metrics are read, from any goroutine.
type Options struct {
	Version string                             // of the program
	Node    string                             // name of this machine
	Servers map[string]func() mailserver.Stats // of the servers: "milter", "smtp", "http"
	// NextHop returns how often the content filter's next hop failed.
	NextHop func() uint64
	// HistoryLost returns how many flagged messages the history failed to keep.
	HistoryLost func() uint64
	Lists       func() []lists.State                  // of the lists of hosts and URLs; nil: none
	DNSLists    func() []dnslist.State                // of block lists in the DNS; nil: none
	TLDs        func() (updated time.Time, names int) // of the list of top-level domains; a zero time is unknown
	Now         func() time.Time                      // nil: time.Now
}

// Metrics are all metrics of a process. Its methods may be called from several
// goroutines.
type Metrics struct {
	registry *prometheus.Registry
	messages *messages
	reload   *reload
	warnings *warnings
	requests *requests
}

// New returns metrics in which nothing has been counted.
func New(o Options) *Metrics {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Metrics{registry: prometheus.NewRegistry(), messages: newMessages(), reload: newReload(), warnings: newWarnings(), requests: newRequests()}
	m.registry.MustRegister(buildInfo(o.Version, o.Node))
	m.registry.MustRegister(m.messages.collectors...)
	m.registry.MustRegister(m.reload.collectors()...)
	m.registry.MustRegister(m.warnings.total, m.requests.total, m.requests.duration)
	for name, stats := range o.Servers {
		m.registry.MustRegister(serverCollectors(name, stats)...)
		m.registry.MustRegister(newBroken(name, stats))
	}
	m.registry.MustRegister(nextHopFailures(o.NextHop), historyLost(o.HistoryLost))
	m.registry.MustRegister(tldCollectors(o.TLDs, o.Now)...)
	m.registry.MustRegister(newListCollector(o.Lists, o.Now), newDNSCollector(o.DNSLists))
	return m
}

// AddRuntime adds the metrics of the Go runtime and of the process.
func (m *Metrics) AddRuntime() {
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
}

// Message counts a message.
func (m *Metrics) Message(e *mailserver.Event) { m.messages.count(e) }

// Marked counts a finding that an operator marked as right or wrong.
func (m *Metrics) Marked(code policy.Code, mark string) {
	m.messages.marked.WithLabelValues(m.messages.codes.label(string(code)), mark).Inc()
}

// Request counts a request of the HTTP API. The numbers of routes and statuses are limited.
func (m *Metrics) Request(route string, status int, took time.Duration) {
	m.requests.count(route, status, took)
}

// Loaded notes that a configuration was taken into use.
func (m *Metrics) Loaded(now time.Time) { m.reload.loaded(now) }

// NotLoaded notes that a configuration was bad, so that the one before stays in use.
func (m *Metrics) NotLoaded() { m.reload.notLoaded() }

// Warned counts a line of the log of the level WARN or above.
func (m *Metrics) Warned(level slog.Level, message string) { m.warnings.count(level, message) }

// Handler answers with all metrics in the format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Describe sends the descriptions of all metrics, also of those without a value yet.
func (m *Metrics) Describe(to chan<- *prometheus.Desc) { m.registry.Describe(to) }

// namespace begins the name of every metric.
const namespace = "linkmilter"

// other is the label value that all further values share once a set is full.
const other = "other"

// A bounded is a set of label values with a limit. Each value costs a time series, here and in
// Prometheus, as long as the process runs. Beyond the limit, all further values share one.
type bounded struct {
	most int

	mu    sync.Mutex
	known map[string]struct{}
}

func newBounded(most int) *bounded { return &bounded{most: most, known: map[string]struct{}{}} }

// label returns value, or other if the set is full.
func (b *bounded) label(value string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.known[value]; ok {
		return value
	}
	if len(b.known) >= b.most {
		return other
	}
	b.known[value] = struct{}{}
	return value
}
