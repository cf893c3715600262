package filter

import (
	"fmt"
	"net/netip"
	"strings"
)

// A Rule says what is done with the messages that it matches. Its zero value
// matches every message, reads it and does nothing.
type Rule struct {
	Name string // for logs; ASCII letters, digits and hyphens
	When When   // which messages it matches
	// Trusted says that these messages come from one's own users and machines:
	// the field Options.OptOut counts, and fields with one's own id are one's
	// own. Mail of clients that logged in always is; a rule that says so needs a
	// condition on Authenticated, Client or Daemon.
	Trusted bool
	// SignRelayed says that mail of clients that did not log in is signed even if
	// it came through another server, as a Received field tells. What hands mail of
	// strangers back to the MTA, such as a virus scanner, is a client of one's own too.
	SignRelayed bool

	HTML    HTML    // whether an HTML alternative is added to plain texts
	Plain   Plain   // whether links in plain texts are rewritten
	Flagged Flagged // how flagged links are shown in either
	Signed  Signed  // whether messages with DKIM or ARC signatures are edited

	IfNotEditable NotEditable // what becomes of a message whose edit was asked for and not done
	On            On          // what becomes of a message by what was found
	DryRun        bool        // the report says what would have been done; nothing is
}

// BuiltinRules returns the rules that apply without a configuration. Mail of
// one's own users is made readable, and nothing is written about it; that of
// everybody else is tagged where something is wrong.
func BuiltinRules() []Rule {
	return []Rule{
		{
			Name: "authenticated", When: When{Authenticated: new(true)}, Trusted: true,
			HTML: HTMLNeeded, IfNotEditable: NotEditableNone,
		},
		{
			Name: "local", When: When{Client: loopback()}, Trusted: true,
			HTML: HTMLNeeded, IfNotEditable: NotEditableNone,
		},
		strangers,
	}
}

func loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// strangers is the rule for messages that match no other.
var strangers = Rule{Name: "others", On: On{Medium: ActionTag, High: ActionTag}}

// rule is a Rule made ready.
type rule struct {
	Rule
	when matcher
}

// prepareRules validates rules: refused are those that could not be told apart
// in logs, never match, or contradict themselves.
func prepareRules(rules []Rule) ([]rule, error) {
	names := make(map[string]bool)
	prepared := make([]rule, len(rules))
	for i, r := range rules {
		switch {
		case r.Name == "" || strings.Trim(r.Name, ruleNameChars) != "":
			return nil, fmt.Errorf("rule %d: name %q: not of ASCII letters, digits and hyphens", i+1, r.Name)
		case names[r.Name]:
			return nil, fmt.Errorf("rule %d: second rule called %q", i+1, r.Name)
		}
		names[r.Name] = true
		when, err := newMatcher(r.When)
		if err == nil {
			err = r.validate()
		}
		if err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.Name, err)
		}
		prepared[i] = rule{r, when}
	}
	return prepared, nil
}

const ruleNameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// validate refuses values that do not exist, and trust in anybody.
func (r *Rule) validate() error {
	for _, choice := range []struct {
		key   string
		valid bool
		value fmt.Stringer
	}{
		{"html", r.HTML <= HTMLAlways, r.HTML},
		{"plain", r.Plain <= PlainReadable, r.Plain},
		{"flagged", r.Flagged <= FlaggedDefang, r.Flagged},
		{"signed", r.Signed <= SignedEdit, r.Signed},
		{"if_not_editable", r.IfNotEditable <= NotEditableReject, r.IfNotEditable},
		{"on: info", r.On.Info <= ActionReject, r.On.Info},
		{"on: low", r.On.Low <= ActionReject, r.On.Low},
		{"on: medium", r.On.Medium <= ActionReject, r.On.Medium},
		{"on: high", r.On.High <= ActionReject, r.On.High},
		{"on: unreadable", r.On.Unreadable <= ActionReject, r.On.Unreadable},
		{"on: partial", r.On.Partial <= ActionReject, r.On.Partial},
	} {
		if !choice.valid {
			return fmt.Errorf("%s: %s", choice.key, choice.value)
		}
	}
	loggedIn := r.When.Authenticated != nil && *r.When.Authenticated
	if r.Trusted && !loggedIn && len(r.When.Client) == 0 && len(r.When.Daemon) == 0 {
		return fmt.Errorf("trusted: anybody would be; needs a condition on authenticated, client or daemon")
	}
	return nil
}

// Rules returns the names of the filter's rules in order.
func (f *Filter) Rules() []string {
	names := make([]string, len(f.rules))
	for i, r := range f.rules {
		names[i] = r.Name
	}
	return names
}

// WithRule returns a filter that applies the rule called name to every message,
// whatever its envelope.
func (f *Filter) WithRule(name string) (*Filter, error) {
	for _, r := range f.rules {
		if r.Name == name {
			forced := *f
			forced.rules = []rule{{Rule: r.Rule}}
			return &forced, nil
		}
	}
	return nil, fmt.Errorf("no rule called %q; there are %q", name, f.Rules())
}
