package metrics

import (
	"maps"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

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

// commonReasons are there from the beginning, so that an increase can be seen.
var commonReasons = []string{"dropped", "malformed", "read", "timeout", "write"}

// Describe is of prometheus.Collector.
func (b broken) Describe(to chan<- *prometheus.Desc) { to <- b.desc }

// Collect is of prometheus.Collector.
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
