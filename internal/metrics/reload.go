package metrics

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var nan = math.NaN()

// reload tells whether the configuration in use is that of the file.
type reload struct {
	successful prometheus.Gauge
	time       prometheus.Gauge
}

func newReload() *reload {
	return &reload{
		successful: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "config_last_reload_successful", Help: "1 if the configuration read last is in use, 0 if it was bad.",
		}),
		time: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "config_last_reload_success_timestamp_seconds", Help: "When the configuration in use was read.",
		}),
	}
}

func (r *reload) collectors() []prometheus.Collector {
	return []prometheus.Collector{r.successful, r.time}
}

// Loaded notes that a configuration was taken into use.
func (m *Metrics) Loaded(now time.Time) {
	m.reload.successful.Set(1)
	m.reload.time.Set(float64(now.UnixMilli()) / 1000)
}

// NotLoaded notes that a configuration was bad, and the one before stays in use.
func (m *Metrics) NotLoaded() { m.reload.successful.Set(0) }
