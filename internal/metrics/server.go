package metrics

import (
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

// historyLost counts the flagged messages that the file of the history lacks.
func historyLost(lost func() uint64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: namespace, Name: "history_lost_total",
		Help: "Flagged messages that admin.history lacks because its file could not be written.",
	}, func() float64 { return float64(lost()) })
}
