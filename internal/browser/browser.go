// Package browser recognises requests to a local HTTP listener that a browser made for a page of a
// stranger: under a foreign host name (DNS rebinding), or from another site.
package browser

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// IsLocal reports whether the host of a request, with or without port, is a loopback address or
// localhost, or one of others.
func IsLocal(host string, others []string) bool {
	name := hostname(host)
	if ip, err := netip.ParseAddr(name); err == nil && ip.Unmap().IsLoopback() || strings.EqualFold(name, "localhost") {
		return true
	}
	return name != "" && slices.ContainsFunc(others, func(own string) bool {
		return strings.EqualFold(name, strings.Trim(own, "[]"))
	})
}

// IsOwnAddress reports whether the host of a request is the IP address at which it arrived. A page
// of a stranger cannot use that address: DNS rebinding needs a name in the DNS.
func IsOwnAddress(r *http.Request) bool {
	arrived, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	ip, err := netip.ParseAddr(hostname(r.Host))
	return err == nil && arrived != nil && ip.Unmap() == arrived.AddrPort().Addr().Unmap()
}

// hostname returns a host without its port and without the brackets of an IPv6 address.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	if name, ok := strings.CutPrefix(host, "["); ok {
		return strings.TrimSuffix(name, "]")
	}
	return host
}

// IsCrossSite reports whether a browser says that a page of another origin made the request (Fetch
// Metadata; RFC 6454). http.CrossOriginProtection lets all GET requests pass, but here another site
// may not even read. Programs other than browsers send neither field.
func IsCrossSite(r *http.Request) bool {
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
