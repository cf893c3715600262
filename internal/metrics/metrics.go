package metrics

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine/ucd"
	"github.com/linkmilter/linkmilter/milter"
)

const namespace = "linkmilter"

// Options say what beside messages is measured. The functions are called when
// the metrics are asked for, from any goroutine.
type Options struct {
	Version string                         // of the program
	Servers map[string]func() milter.Stats // of the servers for mail: "milter", "smtp"
	// NextHop is how often the content filter's next hop failed.
	NextHop func() uint64
	TLDs    func() (updated time.Time, names int) // of the list of top-level domains; a zero time is unknown
	Now     func() time.Time                      // nil: time.Now
}

// Metrics are all metrics of a process. Its methods may be called from several
// goroutines.
type Metrics struct {
	registry *prometheus.Registry
	messages *messages
	reload   *reload
}

// New returns metrics in which nothing has been counted.
func New(o Options) *Metrics {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Metrics{registry: prometheus.NewRegistry(), messages: newMessages(), reload: newReload()}
	m.registry.MustRegister(buildInfo(o.Version))
	m.registry.MustRegister(m.messages.collectors()...)
	m.registry.MustRegister(m.reload.collectors()...)
	for name, stats := range o.Servers {
		m.registry.MustRegister(serverCollectors(name, stats)...)
		m.registry.MustRegister(newBroken(name, stats))
	}
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: namespace, Name: "next_hop_failures_total", Help: "How often the content filter's next hop could not be reached, was lost or answered nonsense.",
	}, func() float64 { return float64(o.NextHop()) }))
	m.registry.MustRegister(tldCollectors(o.TLDs, o.Now)...)
	return m
}

// AddRuntime adds what the Go runtime and the operating system know of the
// process.
func (m *Metrics) AddRuntime() {
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
}

// Handler answers with all metrics in the format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

func buildInfo(version string) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the labels are the versions of the program and of its Unicode tables.",
		ConstLabels: prometheus.Labels{
			"version":         version,
			"goversion":       runtime.Version(),
			"unicode_version": ucd.UnicodeVersion,
			"idna_version":    idna.UnicodeVersion,
		},
	})
	g.Set(1)
	return g
}

func serverCollectors(server string, stats func() milter.Stats) []prometheus.Collector {
	labels := prometheus.Labels{"server": server}
	gauge := func(name, help string, value func(milter.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: labels},
			func() float64 { return value(stats()) })
	}
	counter := func(name, help string, value func(milter.Stats) uint64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: labels},
			func() float64 { return float64(value(stats())) })
	}
	return []prometheus.Collector{
		gauge("connections", "Connections of mail servers being served, by the protocol: milter, smtp.",
			func(s milter.Stats) float64 { return float64(s.Connections) }),
		counter("connections_total", "Connections of mail servers that were served.",
			func(s milter.Stats) uint64 { return s.Served }),
		counter("connections_denied_total", "Connections turned away because allow of the table milter or content_filter does not name their network.",
			func(s milter.Stats) uint64 { return s.Denied }),
		counter("connections_waited_total", "How often new connections had to wait because of max_connections of that table.",
			func(s milter.Stats) uint64 { return s.AtLimit }),
		gauge("message_memory_bytes", "Memory of messages in hand.",
			func(s milter.Stats) float64 { return float64(s.Memory) }),
		gauge("message_memory_limit_bytes", "How much that may be, limits.memory.",
			func(s milter.Stats) float64 { return float64(s.MemoryLimit) }),
	}
}

func tldCollectors(list func() (time.Time, int), now func() time.Time) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: namespace, Name: "tlds_age_seconds", Help: "Time since the list of top-level domains in use was made; NaN if unknown.",
		}, func() float64 {
			updated, _ := list()
			if updated.IsZero() {
				return nan
			}
			return now().Sub(updated).Seconds()
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: namespace, Name: "tlds", Help: "Names in that list.",
		}, func() float64 {
			_, names := list()
			return float64(names)
		}),
	}
}
