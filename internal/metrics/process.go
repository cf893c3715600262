package metrics

import (
	"log/slog"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

func buildInfo(version, node string) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the labels are the versions of the program and of its Unicode tables, and service.node.",
		ConstLabels: prometheus.Labels{
			"version":         version,
			"node":            node,
			"goversion":       runtime.Version(),
			"unicode_version": ucd.UnicodeVersion,
			"idna_version":    idna.UnicodeVersion,
		},
	})
	g.Set(1)
	return g
}

func tldCollectors(list func() (time.Time, int), now func() time.Time) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: namespace, Name: "tlds_age_seconds", Help: "Time since the list of top-level domains in use was made; NaN if unknown.",
		}, func() float64 {
			updated, _ := list()
			if updated.IsZero() {
				return math.NaN()
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

// reload has the metrics that tell whether the configuration in use is the one in the file.
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

// warnings counts the lines of the log that ask for attention.
type warnings struct {
	messages *bounded
	total    *prometheus.CounterVec // level, msg
}

func newWarnings() *warnings {
	w := &warnings{newBounded(maxCodes), prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace, Name: "log_warnings_total", Help: "Lines of the log of the level warn or error, by msg; also those that log.level leaves out.",
	}, []string{"level", "msg"})}
	// The series for a panic exists from the beginning, so that the first one is seen as an
	// increase.
	w.total.WithLabelValues("error", w.messages.label("panic"))
	w.total.WithLabelValues("warn", w.messages.label("digest not sent"))
	return w
}

// count counts a line. Messages are constants of the program.
func (w *warnings) count(level slog.Level, message string) {
	w.total.WithLabelValues(strings.ToLower(level.String()), w.messages.label(message)).Inc()
}
