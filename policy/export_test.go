package policy

import (
	"iter"

	"github.com/linkmilter/linkmilter/engine"
)

// Variant describes a variant for tests.
type Variant struct {
	Code     Code
	Name     string
	Severity Severity
	Text     string
}

// Variants returns the table of findings.
func Variants() []Variant {
	var list []Variant
	for _, r := range table[nothing+1:] {
		list = append(list, Variant{r.code, r.name, r.severity, r.text})
	}
	return list
}

// DisplayRules returns all display rules.
func DisplayRules() []DisplayRule {
	var rules []DisplayRule
	for i := range displayRules {
		rules = append(rules, DisplayRule(i))
	}
	return rules
}

// DisplayRuleOf returns the rule that hides a host of a link.
func DisplayRuleOf(l engine.Link) DisplayRule {
	h := newLinkHost(l, l.Components().Host)
	return displayRule(h.name(), hidesDomain(likePopularSite(h)), nil)
}

// SeverityCode returns the code whose severity switches a display rule off.
func SeverityCode(r DisplayRule) Code { return r.severityCode() }

// IsHonestName reports whether a name is that of honest owners.
func IsHonestName(name string) bool { return isHonestName(name) }

// IsOwners reports whether a list of owners has a domain.
func IsOwners(domain string) bool {
	_, ok := brands().domain(domain)
	return ok || owners.Has(domain)
}

// IsPopular reports whether a domain, U-labels, is a popular site.
func IsPopular(domain string) bool { return popularSites().has(domain) }

// Wrappers returns the hosts of wrappers, and where the links of each have the URL.
func Wrappers() iter.Seq2[string, string] { return wrappers.All() }
