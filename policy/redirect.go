package policy

import (
	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// passesOn reports whether the target is a link of a wrapper that opens the
// registrable domain.
func passesOn(target engine.Link, domain string) bool {
	host := target.ASCIIHost()
	c := target.Components()
	if !isBelow(host, wrappers) && (hostname.Registrable(host) != "google.com" || c.Path != "/url") {
		return false
	}
	var inner innerURLs
	inner.collect(host, &c)
	return len(inner.links) > 0 && hostname.Registrable(inner.links[0].ASCIIHost()) == domain
}
