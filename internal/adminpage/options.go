package adminpage

import (
	"context"
	"iter"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/history"
)

// Options configure the pages.
type Options struct {
	Version string
	// Node is the name of this machine; empty: pages do not name it.
	Node string
	// History has the flagged messages.
	History *history.History
	// Renderings is how many edited messages are kept with their contents; 0: none.
	Renderings int
	// Password is the bcrypt hash of the password; empty: none is asked for.
	Password string
	// Filter is the filter in use.
	Filter func() Filter
	// Rules says in words what each rule in force does, in order.
	Rules func() []Rule
	// Allow has the entries of policy.allow.
	Allow func() []string
	// Names says how old the list of top-level domains is.
	Names func() string
	// Ready returns why the service does not take mail now, or nil.
	Ready func() error
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
	login   atomic.Pointer[[32]byte] // of the password that was right last
	mux     *http.ServeMux
}
