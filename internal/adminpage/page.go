package adminpage

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"fmt"
	"html/template"
	"iter"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/policy"
)

// Options configure the pages.
type Options struct {
	Version string
	// Node is the name of this machine; empty: pages do not name it.
	Node string
	// History keeps the flagged messages.
	History *history.History
	// Renderings is how many edited messages are kept with their contents; 0: none.
	Renderings int
	// Filter is the filter in use.
	Filter func() Filter
	// Rules says in words what each rule in force does, in order.
	Rules func() []Rule
	// Allow has the entries of policy.allow.
	Allow func() []string
	// Names says how old the list of top-level domains is.
	Names func() string
	// Lists has the state of the lists of hosts and URLs; nil: there are none.
	Lists func() []lists.State
	// DNSLists has the state of the block lists in the DNS; nil: there are none.
	DNSLists func() []dnslist.State
	// Listed returns the lines of lists that have a link; nil: there are none.
	Listed func(engine.Link) []policy.Listed
	// Ready returns why the service does not take mail now, or nil.
	Ready func() error
	// Quarantine is nil where the pages have none, and QuarantineOff says why.
	Quarantine    *Quarantine
	QuarantineOff string
	// Troubles are those beside the ones of the history, the lists and the quarantine; nil: none.
	Troubles func() []Trouble
	// Marked counts a finding that somebody marked as right or wrong; nil: nothing does.
	Marked func(code policy.Code, mark string)
	// Nodes are the URLs of the metrics of other nodes, and Metrics answers with those of this one.
	Nodes   []string
	Metrics http.Handler
	// Log says who changed what.
	Log *slog.Logger
}

// Filter judges messages. *filter.Filter is one.
type Filter interface {
	Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result
	Unmet(env envelope.Envelope, raw []byte) iter.Seq2[string, string]
}

// A Rule is a rule in force.
type Rule struct{ Name, Words string }

// A Page has the pages and what they show.
type Page struct {
	options Options
	now     func() time.Time
	started time.Time
	minutes minutes
	edited  editions
	mux     *http.ServeMux
	token   string     // in forms that change something
	acting  sync.Mutex // held while such a form is acted on
	where   whereabouts

	summaries summaries
}

// New returns the pages.
func New(o Options) *Page {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	p := &Page{options: o, now: time.Now, started: time.Now(), edited: editions{most: o.Renderings}, mux: http.NewServeMux(), token: rand.Text()}
	p.mux.HandleFunc("GET /{$}", p.serveNow)
	p.mux.HandleFunc("GET /nodes", p.serveNodes)
	p.mux.HandleFunc("GET /week", p.serveWeek)
	p.mux.HandleFunc("GET /findings", p.serveFindings)
	p.mux.HandleFunc("GET /findings/{id}", p.serveFinding)
	p.mux.HandleFunc("POST /findings/{id}", p.markFinding)
	p.mux.HandleFunc("GET /findings.json", p.serveJSON)
	p.mux.HandleFunc("GET /findings.csv", p.serveCSV)
	p.mux.HandleFunc("GET /edited", p.serveEditedList)
	p.mux.HandleFunc("GET /edited/{id}", p.serveEdited)
	p.mux.HandleFunc("GET /edited/{id}/{form}", p.serveRendering)
	p.mux.HandleFunc("GET /quarantine", p.serveQuarantine)
	p.mux.HandleFunc("POST /quarantine", p.changeQuarantine)
	p.mux.HandleFunc("GET /quarantine/{name}", p.serveHeld)
	p.mux.HandleFunc("GET /quarantine/{name}/shown", p.serveHeldRendering)
	p.mux.HandleFunc("GET /lists", p.serveLists)
	p.mux.HandleFunc("GET /received", p.serveReceived)
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
	p.mux.ServeHTTP(w, r)
}

//go:embed templates
var files embed.FS

// templates parses the templates when they are first needed, because most commands show no page.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"number":     printable.Number,
		"at":         func(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") },
		"codePoints": codePointsOf, "textOf": textOf, "urlOf": urlOf, "keptOf": keptOf, "heldAt": heldAt,
		"bounded": history.Bounded,
		"dict":    dict,
		"inc":     func(i int) int { return i + 1 },
	}).ParseFS(files, "templates/*.html"))
})

// dict returns values by their names, for templates that need several.
func dict(pairs ...any) map[string]any {
	all := make(map[string]any)
	for i := 0; i+1 < len(pairs); i += 2 {
		all[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return all
}

// render writes a page, or an error in its place.
func (p *Page) render(w http.ResponseWriter, name string, data any) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		http.Error(w, fmt.Sprintf("page %s: %v", name, err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // the client is gone otherwise
}

func (p *Page) serveStyle(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, "templates/style.css")
}

// pagePolicy is the Content-Security-Policy of the pages.
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// framesPolicy is the Content-Security-Policy of pages that show renderings in frames.
const framesPolicy = pagePolicy + "; frame-src 'self'"

// frameHeaders sets the header of a rendering.
func frameHeaders(h http.Header) {
	h.Set("Content-Security-Policy", framePolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Content-Type", "text/html; charset=utf-8")
}

// framePolicy is the Content-Security-Policy of a rendering: nothing in it runs, loads, opens or is
// sent.
const framePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
