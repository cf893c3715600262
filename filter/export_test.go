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
