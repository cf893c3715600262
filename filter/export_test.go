package filter

import (
	"maps"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// GuardReasons returns the reasons of all guards, each once, so that a test can check that it
// covers them all.
func GuardReasons() []report.Reason {
	var reasons []report.Reason
	for _, g := range guards {
		if !slices.Contains(reasons, g.reason) {
			reasons = append(reasons, g.reason)
		}
	}
	return reasons
}

// PanicOnRead returns a filter that panics as soon as it looks for links.
func PanicOnRead() *Filter {
	rules, err := rule.NewSet([]rule.Rule{{Name: "all"}}, false)
	if err != nil {
		panic(err)
	}
	return &Filter{rules: rules, pipeline: pipeline{limits: Limits{Message: 1 << 20}, maxLinks: 1}}
}

// WithOlderTables returns f as it works if Go's tables have an older Unicode version.
func WithOlderTables(f *Filter) *Filter {
	older, own := *f, *f.judge
	own.Display.Agreed = false
	older.judge, older.judges = &own, judge.NewOfRules(&own, policy.Options{})
	return &older
}

// Chosen reports whether an attacker can choose a reason why a message is not read.
func Chosen(reason report.Reason) bool { return isChosen(reason) }

// ClassifiedReasons returns the reasons that the table of causes and the guards name.
func ClassifiedReasons() []report.Reason {
	classified := slices.Collect(maps.Keys(causes))
	for _, g := range guards {
		if _, also := causes[g.reason]; !also && !slices.Contains(classified, g.reason) {
			classified = append(classified, g.reason)
		}
	}
	return classified
}

// NeverDefangs returns f with a defect: it shows flagged links as typed where it should defang
// them.
func NeverDefangs(f *Filter) *Filter {
	broken, own := *f, *f.judge
	own.Display.Defang = func(text string) string { return text }
	broken.judge, broken.judges = &own, judge.NewOfRules(&own, policy.Options{})
	return &broken
}

// PanicOnShort returns f with a defect: it panics at each link of at most 512 bytes that it should
// defang.
func PanicOnShort(f *Filter) *Filter {
	faulty, own := *f, *f.judge
	own.Display.Readable = func(found *report.Found, form engine.HostForm) string {
		if len(found.Link.Text) <= 512 {
			panic("short")
		}
		return judge.Readable(found, form)
	}
	faulty.judge, faulty.judges = &own, judge.NewOfRules(&own, policy.Options{})
	return &faulty
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

// Signer is what signs messages.
type Signer = signer

// RemovedLinkLanguages returns the texts that stand for removed links, by language and cause.
func RemovedLinkLanguages() map[string]map[string]string {
	all := make(map[string]map[string]string)
	for key, text := range removedLinks.All() {
		language, cause, _ := strings.Cut(key, "/")
		if all[language] == nil {
			all[language] = make(map[string]string)
		}
		all[language][cause] = text
	}
	return all
}
