package httpapi

import (
	_ "embed"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/browser"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

//go:embed openapi.json
var definition []byte

// A route is a path of the API.
type route struct {
	name    string // for the metrics
	methods []string
	serve   func(*call) error
}

// routes are all paths of the API.
var routes = map[string]route{
	"/v1/check":        {"check", []string{http.MethodPost}, (*call).check},
	"/v1/explain":      {"explain", []string{http.MethodPost}, (*call).explain},
	"/v1/openapi.json": {"openapi", []string{http.MethodGet, http.MethodHead}, (*call).define},
}

// noRoute stands for all other paths.
var noRoute = route{"other", nil, func(*call) error {
	return problemf(http.StatusNotFound, "no such path (want /v1/check, /v1/explain or /v1/openapi.json)").closing()
}}

// define answers with the definition of the API.
func (c *call) define() error {
	c.write(http.StatusOK, definition)
	return nil
}

// A handler answers the requests of one connection.
type handler struct {
	*core
	log   *slog.Logger
	probe bool // the requests come from the service itself
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	route, ok := routes[r.URL.Path]
	if !ok {
		route = noRoute
	}
	c := &call{core: h.core, w: w, r: r, log: h.log.With("peer", r.RemoteAddr)}
	defer func() {
		if v := recover(); v != nil {
			mailserver.LogPanic(c.log, "", v)
			c.refuse(problemf(http.StatusInternalServerError, "linkmilter failed on this request: the log says how").closing())
		}
		if !h.probe {
			h.options.ObserveRequest(route.name, c.status, time.Since(start))
		}
	}()
	err := h.identify(c)
	known := err == nil
	if known {
		err = c.admit(route)
	}
	if err == nil {
		err = route.serve(c)
	}
	if err == nil {
		return
	}
	p := (*problem)(nil)
	if !errors.As(err, &p) {
		p = problemf(http.StatusInternalServerError, "%s", err)
	}
	c.refuse(p)
	if !known {
		h.strangers.Note(refusal{r.RemoteAddr, route.name, c.status, p.text})
		return
	}
	c.log.Warn("request refused", "route", route.name, "status", c.status, "error", mailserver.Safe(p.text))
}

// identify returns a problem if the client of a request may not make requests.
func (h *handler) identify(c *call) error {
	credentials := h.credentials.Load()
	switch {
	case browser.IsCrossSite(c.r):
		return problemf(http.StatusForbidden, "requests of web pages are not answered").closing()
	case credentials.Tokens == nil && credentials.Certificate == nil && !browser.IsLocal(c.r.Host, nil):
		// If clients need no token, a web page may have pointed its own host name here (DNS
		// rebinding).
		return problemf(http.StatusMisdirectedRequest, "host %q: not served here (want 127.0.0.1, ::1 or localhost)", c.r.Host).closing()
	}
	if credentials.Tokens != nil {
		name, ok := credentials.Tokens.nameOf(bearer(c.r.Header.Get("Authorization")))
		if !ok {
			return problemf(http.StatusUnauthorized, "token missing or wrong (want Authorization: Bearer with a token of http.token_file)").with("WWW-Authenticate", `Bearer realm="linkmilter"`).closing()
		}
		c.log = c.log.With("token", name)
	}
	return nil
}

// admit returns a problem if a request is refused whatever its body is.
func (c *call) admit(to route) error {
	switch {
	case to.methods != nil && !slices.Contains(to.methods, c.r.Method):
		allow := strings.Join(to.methods, ", ")
		return problemf(http.StatusMethodNotAllowed, "method %s: not allowed here (want %s)", c.r.Method, allow).with("Allow", allow).closing()
	case c.r.Header.Get("Content-Encoding") != "":
		return problemf(http.StatusUnsupportedMediaType, "Content-Encoding: not supported (want none)").closing()
	}
	return nil
}
