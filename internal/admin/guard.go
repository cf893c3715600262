package admin

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// guard passes requests on that name this listener as their host and do not come from
// a page of another site.
type guard struct {
	hosts []string
	next  http.Handler
}

func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch {
	case !g.mine(r.Host):
		// RFC 9110 §15.5.20.
		http.Error(w, "this host name is not served here (admin.hosts)", http.StatusMisdirectedRequest)
	case crossSite(r):
		http.Error(w, "requests from other sites are not answered", http.StatusForbidden)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// mine reports whether host, with or without port, names this listener.
func (g guard) mine(host string) bool {
	name := hostname(host)
	if ip, err := netip.ParseAddr(name); err == nil && ip.Unmap().IsLoopback() || strings.EqualFold(name, "localhost") {
		return true
	}
	return name != "" && slices.ContainsFunc(g.hosts, func(own string) bool {
		return strings.EqualFold(name, strings.Trim(own, "[]"))
	})
}

// hostname takes the port and the brackets of an IPv6 address off.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	if name, ok := strings.CutPrefix(host, "["); ok {
		return strings.TrimSuffix(name, "]")
	}
	return host
}

// crossSite reports whether a browser says that a page of another origin made
// the request (Fetch Metadata; RFC 6454). http.CrossOriginProtection lets all GET
// requests pass, and here even to be read is too much. Programs other than
// browsers send neither field.
func crossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host)
}
