package filter

import "slices"

// GuardReasons returns the reasons of all guards, each once, so that a test can
// tell that it knows them all.
func GuardReasons() []Reason {
	var reasons []Reason
	for _, g := range guards {
		if !slices.Contains(reasons, g.reason) {
			reasons = append(reasons, g.reason)
		}
	}
	return reasons
}

// PanicOnRead makes a filter that panics as soon as it looks for links.
func PanicOnRead() *Filter {
	return &Filter{limits: Limits{Message: 1 << 20}, maxLinks: 1, rules: []rule{{Rule: Rule{Name: "all"}}}}
}

// WithOlderTables returns f as it is where Go's tables are of an older Unicode
// version.
func WithOlderTables(f *Filter) *Filter {
	older := *f
	older.agreed = false
	return &older
}

// Merge is what is done with a message whose recipients fall under the rules.
func Merge(rules []Rule) Rule { return merge(rules) }

// Defang takes the links out of a text.
func Defang(text string) string { return defang(text) }
