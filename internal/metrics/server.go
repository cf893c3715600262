package metrics

import (
	"maps"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

func serverCollectors(server string, stats func() mailserver.Stats) []prometheus.Collector {
	labels := prometheus.Labels{"server": server}
	gauge := func(name, help string, value func(mailserver.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: labels},
			func() float64 { return value(stats()) })
	}
	counter := func(name, help string, value func(mailserver.Stats) uint64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: labels},
			func() float64 { return float64(value(stats())) })
	}
	return []prometheus.Collector{
		gauge("connections", "Connections of mail servers being served, by the protocol: milter, smtp, http.",
			func(s mailserver.Stats) float64 { return float64(s.Connections) }),
		counter("connections_total", "Connections of mail servers that were served.",
			func(s mailserver.Stats) uint64 { return s.Served }),
		counter("connections_denied_total", "Connections turned away because allow of the table milter, content_filter or http does not name their network.",
			func(s mailserver.Stats) uint64 { return s.Denied }),
		counter("connections_waited_total", "How often new connections had to wait because of max_connections of that table.",
			func(s mailserver.Stats) uint64 { return s.AtLimit }),
		counter("filter_overruns_total", "Messages for which the filter took more than 200 ms longer than limits.time: a defect.",
			func(s mailserver.Stats) uint64 { return s.Overruns }),
		gauge("message_memory_bytes", "Memory of messages being processed.",
			func(s mailserver.Stats) float64 { return float64(s.Memory) }),
		gauge("message_memory_limit_bytes", "How much that may be, limits.memory.",
			func(s mailserver.Stats) float64 { return float64(s.MemoryLimit) }),
	}
}

// nextHopFailures counts how often the content filter's next hop failed.
func nextHopFailures(failures func() uint64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: namespace, Name: "next_hop_failures_total",
		Help: "How often the content filter's next hop could not be reached, was lost or answered nonsense.",
	}, func() float64 { return float64(failures()) })
}

// historyLost counts the flagged messages that could not be written to the file of the history.
func historyLost(lost func() uint64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: namespace, Name: "history_lost_total",
		Help: "Flagged messages that admin.history lacks because its file could not be written.",
	}, func() float64 { return float64(lost()) })
}

// broken counts the connections of a server that did not end in order. The reasons are
// the server's, which has a limited number of them.
type broken struct {
	desc  *prometheus.Desc
	stats func() mailserver.Stats
}

func newBroken(server string, stats func() mailserver.Stats) broken {
	name := prometheus.BuildFQName(namespace, "", "connections_broken_total")
	const help = "Connections of mail servers that did not end in order, by the reason."
	return broken{prometheus.NewDesc(name, help, []string{"reason"}, prometheus.Labels{"server": server}), stats}
}

// commonReasons have series from the beginning, so that the first event is seen as an increase.
var commonReasons = []string{"dropped", "malformed", "read", "timeout", "write"}

// Describe implements prometheus.Collector.
func (b broken) Describe(to chan<- *prometheus.Desc) { to <- b.desc }

// Collect implements prometheus.Collector.
func (b broken) Collect(to chan<- prometheus.Metric) {
	counts := map[string]uint64{}
	for _, reason := range commonReasons {
		counts[reason] = 0
	}
	maps.Copy(counts, b.stats().Broken)
	for reason, count := range counts {
		to <- prometheus.MustNewConstMetric(b.desc, prometheus.CounterValue, float64(count), reason)
	}
}

// requests counts the requests of the HTTP API.
type requests struct {
	total    *prometheus.CounterVec // route, status
	duration prometheus.Histogram
}

func newRequests() *requests {
	r := &requests{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_requests_total", Help: "Requests of the HTTP API: check, explain, openapi, other. Those without a valid token have the status 401.",
		}, []string{"route", "status"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Help: "Time from the header of a request to the answer.",
			Buckets: []float64{.001, .005, .01, .05, .1, .5, 1, 5, 10, 30},
		}),
	}
	// These series exist from the beginning, so that the first request is seen as an increase.
	for _, route := range []string{"check", "explain", "openapi"} {
		r.total.WithLabelValues(route, "200")
		r.total.WithLabelValues(route, "401")
	}
	return r
}

func (r *requests) count(route string, status int, took time.Duration) {
	r.total.WithLabelValues(route, strconv.Itoa(status)).Inc()
	r.duration.Observe(took.Seconds())
}
