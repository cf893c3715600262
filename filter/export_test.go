package filter

import (
	"maps"
	"slices"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/policy"
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
	rules, err := rule.NewSet([]rule.Rule{{Name: "all"}}, false)
	if err != nil {
		panic(err)
	}
	return &Filter{rules: rules, pipeline: pipeline{limits: Limits{Message: 1 << 20}, maxLinks: 1}}
}

// WithOlderTables returns f as it is where Go's tables have an older Unicode
// version.
func WithOlderTables(f *Filter) *Filter {
	older, judge := *f, *f.judge
	judge.display.agreed = false
	older.judge = &judge
	return &older
}

// Chosen reports whether an attacker can choose that a message is not read for a
// reason.
func Chosen(reason Reason) bool { return isChosen(reason) }

// Linked reports whether an HTML alternative links it.
func (l Found) Linked() bool { return l.linked }

// Broken reports whether the link continues over several lines or is too long.
func (l Found) Broken() bool { return l.broken }

// Hidden reports whether most programs do not show the HTML that holds it.
func (l Found) Hidden() bool { return l.hidden }

// Place names the kind of text that holds the link.
func (l Found) Place() string {
	return [...]string{placeText: "text", placeHTMLLink: "html-link", placeHTMLText: "html-text", placeHeader: "header", placeEnvelope: "envelope"}[l.place]
}

// MediaType returns the media type of a part.
func (p Part) MediaType() string { return p.mediaType }

// Outcome says how much of a part was read.
func (p Part) Outcome() Outcome { return p.outcome }

// NotDone returns why a part was not edited; "" where it was.
func (p Part) NotDone() Reason { return p.notDone }

// Count returns how many links, or suspects, of a kind were found.
func (r Report) Count(kind engine.Kind) int { return r.count(kind) }

// Defang takes the links out of a text.
func Defang(text string) string { return defang(text) }

// ClassifiedReasons returns the reasons that the table of causes names.
func ClassifiedReasons() []Reason { return slices.Collect(maps.Keys(causes)) }

// NeverDefangs returns f that shows flagged links as typed where it should defang
// them.
func NeverDefangs(f *Filter) *Filter {
	broken, judge := *f, *f.judge
	judge.display.defang = func(text string) string { return text }
	broken.judge = &judge
	return &broken
}

// Variant describes a variant of findings about a message.
type Variant struct {
	Code     policy.Code
	Name     string
	Severity policy.Severity
	Text     string
}

// Variants returns the table of findings about a message.
func Variants() []Variant {
	var list []Variant
	for _, v := range variants {
		list = append(list, Variant{v.code, v.name, v.severity, v.text})
	}
	return list
}
