package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// continues reports whether a host that begins with the name of the domain has
// its suffix next and then another domain, after a dot, a hyphen or
// beyond ASCII: "paypal.com-login.example.net". The suffix of a country counts, too, as the
// owner can have a domain there, and "com" behind a long name. after is the rest
// of the host after the name, tlds are the top-level domains that exist.
func (d *protectedDomain) continues(after string, tlds *tld.Set) bool {
	if isSuffix(after) {
		return false
	}
	if d.readsOn(after) {
		return true
	}
	if goesOn(after, "com") && utf8.RuneCountInString(d.word) >= minFar && !ordinary[d.word] {
		return true
	}
	suffix := countrySuffix(after, tlds)
	if suffix == "" || !goesOn(after, suffix) {
		return false
	}
	if strings.Contains(suffix, ".") {
		return true
	}
	// "my" and "it" begin many labels: "slack.my-company.example". "eu" and "us"
	// name a part of the world in hosts of companies: "slack.eu.example.com".
	label, _, _ := strings.Cut(after, ".")
	if label == suffix && isOfCustomers(hostname.Canonical(after)) {
		return false // "example.my.salesforce.com"
	}
	return suffix != "eu" && suffix != "us" && !impersonated.Marked(d.domain, markProgram) && (label == suffix || hasLure(label) || label[len(suffix)] >= utf8.RuneSelf)
}

// readsOn reports whether the rest of a host behind a name begins with the suffix of the domain,
// or one that looks like it, and goes on with another domain.
func (d *protectedDomain) readsOn(after string) bool {
	return !isSuffix(after) && (goesOn(after, d.suffix) || goesOnAlike(after, d.suffix))
}
