package metrics

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/linkmilter/linkmilter/internal/lists"
)

// listCollector has the metrics of the lists of hosts and URLs. Their names are those of the
// configuration.
type listCollector struct {
	states func() []lists.State
	now    func() time.Time

	age, stale, failed, entries, unread, hits *prometheus.Desc
}

func newListCollector(states func() []lists.State, now func() time.Time) *listCollector {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, []string{"list"}, nil)
	}
	return &listCollector{
		states: states, now: now,
		age:     desc("list_age_seconds", "Time since the source of a list confirmed it; NaN if it never did."),
		stale:   desc("list_stale", "1 if a list was not confirmed for three intervals and a day, or never, else 0."),
		failed:  desc("list_last_update_failed", "1 if the last request for a list failed or was refused, else 0."),
		entries: desc("list_entries", "Entries of a list."),
		unread:  desc("list_unread_lines", "Lines of a list that are not used."),
		hits:    desc("list_hits_total", "Lookups of links and of links within them that a list had, since the start."),
	}
}

// Describe implements prometheus.Collector.
func (c *listCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.age, c.stale, c.failed, c.entries, c.unread, c.hits} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *listCollector) Collect(to chan<- prometheus.Metric) {
	if c.states == nil {
		return
	}
	is := map[bool]float64{true: 1}
	for _, s := range c.states() {
		gauge := func(d *prometheus.Desc, value float64) {
			to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, s.Name)
		}
		age := math.NaN()
		if !s.Checked.IsZero() {
			age = c.now().Sub(s.Checked).Seconds()
		}
		gauge(c.age, age)
		gauge(c.stale, is[s.Stale])
		gauge(c.failed, is[s.Problem != nil])
		gauge(c.entries, float64(s.Entries))
		gauge(c.unread, float64(s.UnreadLines()))
		to <- prometheus.MustNewConstMetric(c.hits, prometheus.CounterValue, float64(s.Hits), s.Name)
	}
}
