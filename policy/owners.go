package policy

import (
	"cmp"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// sameOwner reports whether two registrable domains, A-labels, have the same owner. The target is
// in the domain opened. If the target is an address and the public has addresses in its domain, the
// two domains must be equal. Governments have sites at "www." and a public suffix, such as
// www.gov.uk.
func sameOwner(domain, opened string, target engine.Link) bool {
	if domain == opened || target.Kind == engine.KindEmail && (impersonated.Marked(opened, markMailboxes) || brands().isOfPublic(opened)) {
		return domain == opened
	}
	if opened == "www."+domain {
		return true
	}
	owner := func(domain string) string {
		if owners.Marked(domain, markSenders) {
			return domain
		}
		return cmp.Or(owners.Value(domain), domain)
	}
	return owner(domain) == owner(opened) || brands().opensOwn(domain, opened) || familyOf(opened) == domain || familyOf(domain) == opened
}

// familyOf returns the main domain of the family of institutes to which a domain belongs, as
// "ksk-koeln.de" does, or the domain itself. A name with a word that phishing adds belongs to no
// family.
func familyOf(domain string) string {
	name, isGerman := strings.CutSuffix(domain, ".de")
	if !isGerman {
		return domain
	}
	for prefix, main := range families {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok || rest == "" {
			continue
		}
		for part := range strings.SplitSeq(rest, "-") {
			if asWritten.added[part] || lures.Has(part) {
				return domain
			}
		}
		return main
	}
	return domain
}

// families are the beginnings of the domains of German savings banks and cooperative banks, with
// their main domains.
var families = map[string]string{
	"ksk-": "sparkasse.de", "kreissparkasse-": "sparkasse.de", "spk-": "sparkasse.de", "sparkasse-": "sparkasse.de", "stadtsparkasse-": "sparkasse.de",
	"rb-": "volksbank.de", "raiba-": "volksbank.de", "raiffeisenbank-": "volksbank.de", "vb-": "volksbank.de", "volksbank-": "volksbank.de", "vr-": "volksbank.de", "vrbank-": "volksbank.de",
}

// sendsFor reports whether the owner of a domain sends mail from another. Only this function uses
// domains that the list of owners marks as those of senders.
func sendsFor(sender, domain string) bool {
	return senderOf(sender) == senderOf(domain) || brands().sameOwner(sender, domain) || familyOf(sender) == domain
}

// senderOf returns the first domain of the owner of a domain from which mail is sent.
func senderOf(domain string) string {
	first, _, _ := strings.Cut(owners.Value(domain), " ")
	return cmp.Or(first, domain)
}

// isOfPublic reports whether an address is in a domain where the public has addresses. In domains
// below such a domain only its owner has addresses.
func isOfPublic(address engine.Link) bool {
	return impersonated.Marked(strings.TrimSuffix(address.ASCIIHost(), "."), markMailboxes)
}

// haveSameName reports whether two registrable domains differ only in their public
// suffix, like those of a company in several countries.
func haveSameName(a, b string) bool {
	nameA, _, _ := strings.Cut(a, ".")
	nameB, _, _ := strings.Cut(b, ".")
	return nameA == nameB && a != nameA && !hostname.IsIP(a) && !hostname.IsIP(b)
}
