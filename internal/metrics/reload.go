package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

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

// loaded notes that a configuration was taken into use.
func (r *reload) loaded(now time.Time) {
	r.successful.Set(1)
	r.time.Set(float64(now.UnixMilli()) / 1000)
}

// notLoaded notes that a configuration was bad.
func (r *reload) notLoaded() { r.successful.Set(0) }
