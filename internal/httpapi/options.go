package httpapi

import (
	"cmp"
	"crypto/tls"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// Options configure a Server. Zero values mean those of [DefaultOptions], but a Filter and
// Judges are needed.
type Options struct {
	mailserver.Options
	// Judges returns the filter behind Options.Filter and an explainer, both with the configuration
	// that is in use now.
	Judges func() (*filter.Filter, *explain.Explainer)
	// Credentials are the first credentials; [Server.SetCredentials] replaces them.
	Credentials Credentials
	Timeouts    Timeouts
	// Host is the name of this machine in the tags, without an id of the filter.
	Host string
	// ObserveRequest is called once for each request, with the name of its route, the
	// status of the answer, and the time that it took; nil: nothing is called.
	ObserveRequest func(route string, status int, took time.Duration)
}

// Credentials are the certificate of the server and the tokens of its clients. They apply to new
// connections and requests.
type Credentials struct {
	Certificate *tls.Certificate // nil: no TLS
	Tokens      *Tokens          // nil: requests need no token
}

// Timeouts bound the time of a connection.
type Timeouts struct {
	Idle    time.Duration // longest time between two requests
	Request time.Duration // longest time in which a request arrives
}

// DefaultOptions returns the defaults.
func DefaultOptions() Options {
	return Options{
		Options:  mailserver.Options{MaxConnections: 100},
		Timeouts: Timeouts{Idle: 2 * time.Minute, Request: 30 * time.Second},
	}
}

func (o Options) withDefaults() Options {
	d := DefaultOptions()
	o.Timeouts.Idle = cmp.Or(o.Timeouts.Idle, d.Timeouts.Idle)
	o.Timeouts.Request = cmp.Or(o.Timeouts.Request, d.Timeouts.Request)
	if o.ObserveRequest == nil {
		o.ObserveRequest = func(string, int, time.Duration) {}
	}
	return o
}
