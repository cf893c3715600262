package adminpage

import (
	"net/http"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// New returns the pages.
func New(o Options) *Page {
	p := &Page{options: o, now: time.Now, started: time.Now(), edited: editions{most: o.Renderings}, mux: http.NewServeMux()}
	p.mux.HandleFunc("GET /{$}", p.serveNow)
	p.mux.HandleFunc("GET /findings", p.serveFindings)
	p.mux.HandleFunc("GET /findings/{id}", p.serveFinding)
	p.mux.HandleFunc("GET /findings.json", p.serveJSON)
	p.mux.HandleFunc("GET /findings.csv", p.serveCSV)
	p.mux.HandleFunc("GET /edited", p.serveEditedList)
	p.mux.HandleFunc("GET /edited/{id}", p.serveEdited)
	p.mux.HandleFunc("GET /edited/{id}/{form}", p.serveRendering)
	p.mux.HandleFunc("GET /try", p.serveTry)
	p.mux.HandleFunc("POST /try", p.serveTried)
	p.mux.HandleFunc("GET /style.css", p.serveStyle)
	return p
}

// Observe counts a message, and keeps it if it was flagged.
func (p *Page) Observe(e *mailserver.Event) {
	now := p.now()
	p.minutes.add(e, p.options.History.Add(e, now), now)
}

// ServeHTTP answers requests for the pages.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", pagePolicy)
	// With no-referrer browsers would hide the origin of the form from the check for it.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
	if !p.mayEnter(r) {
		h.Set("WWW-Authenticate", `Basic realm="linkmilter", charset="UTF-8"`)
		http.Error(w, "the password of admin.password is needed; any user name will do", http.StatusUnauthorized)
		return
	}
	p.mux.ServeHTTP(w, r)
}
