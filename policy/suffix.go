package policy

import (
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// continues reports whether a host goes on behind a protected domain: after its
// name comes its suffix, or one of a country, where its owner could have a
// domain, too, and then another domain, after a dot or a hyphen
// ("paypal.com-login.example.net"). after is what comes after the name.
func (d *protected) continues(after string, tlds *tld.Set) bool {
	if isSuffix(after) {
		return false
	}
	if goesOn(after, d.suffix) {
		return true
	}
	suffix := countrySuffix(after, tlds)
	if suffix == "" || !goesOn(after, suffix) {
		return false
	}
	if strings.Contains(suffix, ".") {
		return true
	}
	// "my" and "it" begin labels of all sorts: "slack.my-company.example".
	label, _, _ := strings.Cut(after, ".")
	return !regions[suffix] && !selfHosted[d.domain] && (label == suffix || asksFor(label))
}

// regions are top-level domains that stand for a part of the world in host
// names of companies, "slack.eu.example.com".
var regions = map[string]bool{"eu": true, "us": true}

// goesOn reports whether after the suffix the host goes on.
func goesOn(after, suffix string) bool {
	rest, ok := strings.CutPrefix(after, suffix)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '-' && strings.Contains(rest, "."))
}

// countrySuffix returns what s begins with if it may be the suffix of domains in
// a country, such as "de", "co.uk" or "com.br"; else "".
func countrySuffix(s string, tlds *tld.Set) string {
	const length = 2 // of the top-level domain of a country
	first, rest, _ := strings.Cut(s, ".")
	if len(rest) >= length {
		country := rest[:length]
		if tlds.Contains(country) && (first == "co" || isSuffix(first+"."+country)) {
			return first + "." + country
		}
	}
	if len(first) >= length && tlds.Contains(first[:length]) {
		return first[:length]
	}
	return ""
}

// isSuffix reports whether the domain is a public suffix of a registry, below
// which the next label is a domain of its own: "com.br". Those that companies
// made of domains of theirs do not count: "com.de" is a domain below de.
func isSuffix(domain string) bool {
	suffix, registry := publicSuffix(domain)
	return registry && suffix
}

// publicSuffix reports whether the domain, U-labels, is a public suffix, and
// whether a registry's or a company's.
func publicSuffix(domain string) (suffix, registry bool) {
	ascii, err := idna.Punycode.ToASCII(domain)
	if err != nil {
		return false, false
	}
	s, registry := publicsuffix.PublicSuffix(ascii)
	return s == ascii, registry
}
