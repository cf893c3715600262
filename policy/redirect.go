package policy

import (
	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// passesOn reports whether the target is a link of a wrapper that opens the
// registrable domain.
func passesOn(target engine.Link, domain string) bool {
	inner, ok := passedTo(target)
	return ok && hostname.Registrable(inner.ASCIIHost()) == domain
}

// passedTo returns the link that a wrapper opens; false if the target is not a link of
// a wrapper.
func passedTo(target engine.Link) (engine.Link, bool) {
	host := target.ASCIIHost()
	c := target.Components()
	if !isBelow(host, wrappers) && (hostname.Registrable(host) != "google.com" || c.Path != "/url") {
		return engine.Link{}, false
	}
	var inner innerURLs
	inner.collect(host, &c)
	if len(inner.links) == 0 {
		return engine.Link{}, false
	}
	return inner.links[0], true
}
