package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/linkmilter/linkmilter/internal/dnslist"
)

// dnsCollector has the metrics of block lists in the DNS. Their names are those of the configuration.
type dnsCollector struct {
	states           func() []dnslist.State
	questions, pause *prometheus.Desc
}

func newDNSCollector(states func() []dnslist.State) *dnsCollector {
	return &dnsCollector{
		states: states,
		questions: prometheus.NewDesc(prometheus.BuildFQName(namespace, "", "dns_list_questions_total"),
			"Questions to a block list in the DNS: clean, listed, kept (answered from memory), failed, refused, paused or skipped (not asked).", []string{"list", "result"}, nil),
		pause: prometheus.NewDesc(prometheus.BuildFQName(namespace, "", "dns_list_paused"),
			"1 if a block list in the DNS is not asked for a while, since it failed or refused, else 0.", []string{"list"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (c *dnsCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.questions
	to <- c.pause
}

// Collect implements prometheus.Collector.
func (c *dnsCollector) Collect(to chan<- prometheus.Metric) {
	if c.states == nil {
		return
	}
	is := map[bool]float64{true: 1}
	for _, s := range c.states() {
		for result, n := range s.Counts {
			to <- prometheus.MustNewConstMetric(c.questions, prometheus.CounterValue, float64(n), s.Name, result.String())
		}
		to <- prometheus.MustNewConstMetric(c.pause, prometheus.GaugeValue, is[s.Paused], s.Name)
	}
}
