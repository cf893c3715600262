package policy

import (
	"strings"

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
	if link, ok := innerLink(host, c); ok {
		return hostname.Registrable(link.ASCIIHost()) == domain
	}
	// Mimecast names the domain alone.
	for parameter := range strings.SplitSeq(c.Query, "&") {
		if name, ok := strings.CutPrefix(parameter, "domain="); ok {
			return hostname.Registrable(strings.ToLower(name)) == domain
		}
	}
	return false
}
