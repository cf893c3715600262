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
