package admin

import (
	"net/http"

	"github.com/linkmilter/linkmilter/internal/browser"
)

// guard passes on only requests whose host is this listener and that do not come from a page of
// another site.
type guard struct {
	hosts []string
	next  http.Handler
}

func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch {
	case !browser.IsLocal(r.Host, g.hosts) && !browser.IsOwnAddress(r): // health checks and Prometheus use the address
		// RFC 9110 §15.5.20.
		http.Error(w, "this host name is not served here (admin.hosts)", http.StatusMisdirectedRequest)
	case browser.IsCrossSite(r):
		http.Error(w, "requests from other sites are not answered", http.StatusForbidden)
	default:
		g.next.ServeHTTP(w, r)
	}
}
