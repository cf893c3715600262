package admin

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// Options configure the answers.
type Options struct {
	// Hosts are the host names, without port, under which requests may come, in addition to
	// localhost and loopback addresses.
	Hosts   []string
	Metrics http.Handler
	// Healthy returns why the service does not work, or nil. The context ends after
	// five seconds.
	Healthy func(context.Context) error
	// Degraded says what does not work in a healthy service, in one line, or "".
	Degraded func() string
	// Ready returns why the service does not take mail now, or nil.
	Ready func() error
	// Page answers all other paths; nil means that they do not exist.
	Page http.Handler
	// Password is the bcrypt hash of the password for the page; empty means that the page needs no
	// password.
	Password string
	Log      *slog.Logger // gets failed logins
}

// Handler answers GET and HEAD of /metrics, /healthz and /readyz, and passes other paths to the
// page. It refuses requests that a foreign page makes a browser send: under a foreign host name
// (DNS rebinding) or from another site.
func Handler(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", o.Metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), checkTime)
		defer cancel()
		answer(w, o.Healthy(ctx), o.Degraded())
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, o.Ready(), "")
	})
	if o.Page != nil {
		page := o.Page
		if o.Password != "" {
			page = newLogin(o.Password, o.Log, page)
		}
		mux.Handle("/", page)
	}
	return guard{hosts: o.Hosts, next: mux}
}

// checkTime is how long a check may take.
const checkTime = 5 * time.Second

// answer writes the outcome of a check: 200, "ok" and a note, or 503 and why.
func answer(w http.ResponseWriter, err error, note string) {
	w.Header().Set("Cache-Control", "no-store")
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if note != "" {
		note += "\n"
	}
	_, _ = io.WriteString(w, "ok\n"+note)
}

// Limits of time and size for requests.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	writeTime  = 30 * time.Second
	idleTime   = 2 * time.Minute
	headerSize = 16 << 10
	// profileTime is the longest time of a profile.
	profileTime = 10 * time.Minute
)

// NewServer returns a server for handler that logs to log and bounds its requests.
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
