package filter

import (
	"maps"
	"slices"

	"github.com/linkmilter/linkmilter/internal/recent"
)

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
	older.agreed, older.memory = false, newMemory()
	return &older
}

// Remembering returns f with an empty memory that has so many slots for each of what
// it remembers. Without slots it remembers nothing.
func Remembering(f *Filter, slots int) *Filter {
	other := *f
	other.memory = &memory{
		links: recent.NewTable[shownLink](slots), fields: recent.NewTable[struct{}](slots), senders: recent.NewTable[struct{}](slots),
	}
	return &other
}

// Remembers reports whether f remembers a link by its text.
func Remembers(f *Filter, link string) bool { return f.memory.links.Get(link) != nil }

// RemembersField reports whether f remembers the value of a field, as it stands in
// the message with its line ends, and RemembersSender an envelope sender.
func RemembersField(f *Filter, value string) bool   { return f.memory.fields.Get(value) != nil }
func RemembersSender(f *Filter, sender string) bool { return f.memory.senders.Get(sender) != nil }

// Merge is what is done with a message whose recipients fall under the rules.
func Merge(rules []Rule) Rule { return merge(rules) }

// Defang takes the links out of a text.
func Defang(text string) string { return defang(text) }

// ClassifiedReasons returns the reasons that the table of causes names.
func ClassifiedReasons() []Reason { return slices.Collect(maps.Keys(causes)) }

// NeverDefangs makes f remember that a link is shown as typed where it is defanged.
func NeverDefangs(f *Filter, link string) {
	found := f.recall(f.scanner.Append(nil, link)[0], FlaggedDefang)
	found.Display = link
	f.memory.links.Put(link, shownLink{found, FlaggedDefang})
}
