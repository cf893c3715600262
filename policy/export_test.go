package policy

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

// DisplayRuleOf returns the rule that hides a host, which has U-labels.
func DisplayRuleOf(host string) DisplayRule { return displayRule(host, nil) }
