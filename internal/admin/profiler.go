package admin

import (
	"log/slog"
	"net/http"
	"net/http/pprof"
)

// NewProfiler returns a server of Go's profiler, below /debug/pprof/. A heap
// dump may have text of mail, so serve it only on a Unix socket that its owner alone may
// use.
func NewProfiler(log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	server := NewServer(mux, log)
	server.WriteTimeout = profileTime
	return server
}
