package metrics

import (
	"math"
	"runtime"
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
