package admin

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// Options say what is answered.
type Options struct {
	// Hosts are names by which the listener may be asked, beside those of
	// loopback; without port.
	Hosts   []string
	Metrics http.Handler
	// Healthy says why the service does not work, or nil. The context ends when
	// the answer comes too late.
	Healthy func(context.Context) error
	// Ready says why no mail server should be sent here, or nil.
	Ready func() error
}

// Handler answers GET and HEAD of /metrics, /healthz and /readyz. A
// browser that was lured here gets nothing: not by a name that leads here
// (DNS rebinding), nor from another site.
func Handler(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", o.Metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), checkTime)
		defer cancel()
		answer(w, o.Healthy(ctx))
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, o.Ready())
	})
	return guard{hosts: o.Hosts, next: mux}
}

// checkTime is how long a check may take.
const checkTime = 5 * time.Second

// answer writes the outcome of a check: 200 and "ok", or 503 and why.
func answer(w http.ResponseWriter, err error) {
	w.Header().Set("Cache-Control", "no-store")
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n")
}

// Times and sizes that end requests which go nowhere.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	writeTime  = 30 * time.Second
	idleTime   = 2 * time.Minute
	headerSize = 16 << 10
	// profileTime is how long a profile may be taken.
	profileTime = 10 * time.Minute
)

// NewServer returns a server for handler that logs to log, and whose requests
// cannot last.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerSize,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
