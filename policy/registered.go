package policy

import "github.com/linkmilter/linkmilter/internal/hostname"

// isHonestName reports whether a name is a word or a name of honest owners, or that of
// an impersonated domain.
func isHonestName(label string) bool {
	return honestWords.Has(label) || honestNames.Has(label) || impersonatedNames[label]
}

// isRegistered reports whether a label with the suffix is the registrable domain of the host,
// and not one of the owners of protected domains.
func isRegistered(label, suffix string, h linkHost, set *protectedSet) bool {
	domain := hostname.Registrable(h.ascii)
	return hostname.Unicode(domain) == label+"."+suffix && !set.isOwnersOf(domain)
}

// readsAs reports whether a label and the rest of the host behind it read as a domain like d, not
// a popular site, with another domain behind it: "paypall.com.example.net".
func (d *protectedDomain) readsAs(label, after string) bool {
	return d.readsOn(after) && !popularSites().has(label+"."+d.suffix)
}
