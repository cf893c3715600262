package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// requests counts the requests of the HTTP API.
type requests struct {
	total    *prometheus.CounterVec // route, status
	duration prometheus.Histogram
}

func newRequests() *requests {
	r := &requests{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_requests_total", Help: "Requests of the HTTP API: check, explain, openapi, other.",
		}, []string{"route", "status"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Help: "Time from the header of a request to the answer.",
			Buckets: []float64{.001, .005, .01, .05, .1, .5, 1, 5, 10, 30},
		}),
	}
	// So that the first request is an increase and not a new series.
	for _, route := range []string{"check", "explain", "openapi"} {
		r.total.WithLabelValues(route, "200")
	}
	return r
}

func (r *requests) count(route string, status int, took time.Duration) {
	r.total.WithLabelValues(route, strconv.Itoa(status)).Inc()
	r.duration.Observe(took.Seconds())
}
