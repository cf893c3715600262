package policy

import (
	"iter"
	"slices"
	"strings"

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

// IsHonestName reports whether the list honest_names has a name.
func IsHonestName(name string) bool { return isHonestName(name) }

// IsOwners reports whether a list of owners has a domain.
func IsOwners(domain string) bool {
	_, ok := brands().domain(domain)
	return ok || owners.Has(domain)
}

// IsPopular reports whether a domain, U-labels, is a popular site.
func IsPopular(domain string) bool { return popularSites().has(domain) }

// Wrappers returns the hosts of wrappers, and where the links of each have the URL.
func Wrappers() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for host, where := range wrappers.All() {
			if !yield(host, strings.TrimSuffix(where, " "+markCounter)) {
				return
			}
		}
	}
}

// A NameRule is a rule for display names, for tests.
type NameRule struct {
	Name              string
	Finds             Severity // SeverityNone if the rule excuses
	Honest, Dishonest string
}

// NameRules returns the rules for display names.
func NameRules() []NameRule {
	var rules []NameRule
	for _, r := range nameRules {
		rules = append(rules, NameRule{r.name, r.finds.severity(), r.honest, r.dishonest})
	}
	return rules
}

// DecidingRules returns the names of the rules that decide about the claims in a display name, and
// the worst severity that they find. It leaves out the rule whose name is without.
func (j *Judge) DecidingRules(name string, named []engine.Link, address engine.Link, without string) (names []string, worst Severity) {
	rules := slices.DeleteFunc(slices.Clone(nameRules[:]), func(r nameRule) bool { return r.name == without })
	claims := []*claim{j.protected.claimInWords(name, address)}
	for _, link := range named {
		claims = append(claims, j.protected.claimInLink(name, link, address))
	}
	for _, c := range claims {
		if r := c.rule(rules); r != nil {
			names, worst = append(names, r.name), max(worst, r.finds.severity())
		}
	}
	return names, worst
}
