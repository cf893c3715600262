package policy

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// goesOn reports whether s begins with the suffix and goes on with another domain. The suffix must
// be followed by a dot, or in the same label by a hyphen or a non-ASCII character:
// "com-login.example.net", "com例え.example".
func goesOn(s, suffix string) bool {
	rest, ok := strings.CutPrefix(s, suffix)
	return ok && rest != "" && (rest[0] == '.' || (rest[0] == '-' || rest[0] >= utf8.RuneSelf) && strings.Contains(rest, "."))
}

// goesOnAlike is goesOn for a label that looks like the suffix: "c0m.example.net".
func goesOnAlike(s, suffix string) bool {
	const shortest = 3 // shorter labels are often near other labels
	end := strings.IndexAny(s, ".-")
	return end > 0 && len(suffix) >= shortest && goesOn(s, s[:end]) && wordKey(s[:end]) == wordKey(suffix)
}

// domainOf returns the registrable domain of the rest of a host, for the detail of a finding.
func domainOf(rest string) string {
	return printable(hostname.Registrable(hostname.Canonical(rest)))
}

// countrySuffix returns the suffix at the start of s if domains of a country can have it, such as
// "de", "co.uk" or "com.br"; otherwise "". tlds are the top-level domains that exist.
func countrySuffix(s string, tlds *tld.Set) string {
	const length = 2 // letters of a country code
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

// isSuffix reports whether the domain, U-labels, is a public suffix of a
// registry: "com.br". The suffixes of companies do not count: "com.de" is a
// domain below de.
func isSuffix(domain string) bool {
	suffix, registry := publicSuffix(domain)
	return registry && suffix
}

// publicSuffix reports whether the domain, U-labels, is a public suffix, and
// whether a registry owns it. The other owners are companies.
func publicSuffix(domain string) (suffix, registry bool) {
	aLabels, err := idna.Punycode.ToASCII(domain)
	if err != nil {
		return false, false
	}
	s, registry := publicsuffix.PublicSuffix(aLabels)
	return s == aLabels, registry
}

// isForAnybody reports whether a domain, U-labels, is a public suffix of a company or a service, where anybody can
// have a name.
func isForAnybody(domain string) bool {
	suffix, registry := publicSuffix(domain)
	return suffix && !registry || isOfAnybody(hostname.Canonical(domain))
}
