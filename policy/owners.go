package policy

import (
	"cmp"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// sameOwner reports whether two registrable domains, A-labels, have the same
// owner. The target is in the domain opened. For an address in a domain where the
// public has addresses, only the same domain counts.
func sameOwner(domain, opened string, target engine.Link) bool {
	if domain == opened || target.Kind == engine.KindEmail && impersonated.Marked(opened, markMailboxes) {
		return domain == opened
	}
	owner := func(domain string) string {
		return cmp.Or(owners.Value(domain), domain)
	}
	return owner(domain) == owner(opened)
}

// haveSameName reports whether two registrable domains differ only in their public
// suffix, like those of a company in several countries.
func haveSameName(a, b string) bool {
	nameA, _, _ := strings.Cut(a, ".")
	nameB, _, _ := strings.Cut(b, ".")
	return nameA == nameB && a != nameA && !hostname.IsIP(a) && !hostname.IsIP(b)
}
