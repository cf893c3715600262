package filter

import (
	"fmt"
	"net/netip"
	"slices"
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

	HTML    HTML    // whether an HTML alternative is added to plain texts
	Plain   Plain   // whether links in plain texts are rewritten
	Flagged Flagged // how flagged links are shown in either
	Signed  Signed  // whether messages with DKIM or ARC signatures are edited

	IfNotEditable NotEditable // what becomes of a message whose edit was asked for and not done
	On            On          // what becomes of a message by what was found
	DryRun        bool        // the report says what would have been done; nothing is
}

// When says which messages a rule matches: those that meet all conditions that
// are set. The zero value matches every message.
type When struct {
	Authenticated bool           // the client logged in
	Client        []netip.Prefix // the client's address is in one of these
}

func (w When) matches(env *Envelope) bool {
	if w.Authenticated && !env.Authenticated {
		return false
	}
	// An IPv4 client of an IPv6 socket is an IPv4 client.
	client := env.Client.Unmap().WithZone("")
	contains := func(p netip.Prefix) bool { return p.Contains(client) }
	return len(w.Client) == 0 || slices.ContainsFunc(w.Client, contains)
}

// BuiltinRules returns the rules that apply without a configuration: mail of
// one's own users is made readable, that of everybody else is only read.
func BuiltinRules() []Rule {
	return []Rule{
		{Name: "authenticated", When: When{Authenticated: true}, HTML: HTMLNeeded},
		{Name: "local", When: When{Client: loopback()}, HTML: HTMLNeeded},
		strangers,
	}
}

func loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// strangers is the rule for messages that match no other.
var strangers = Rule{Name: "others", HTML: HTMLNever}

// validate refuses rules that could not be told apart in logs, or never match.
func validate(rules []Rule) error {
	names := make(map[string]bool)
	for i, r := range rules {
		switch {
		case r.Name == "" || strings.Trim(r.Name, ruleNameChars) != "":
			return fmt.Errorf("rule %d: name %q: not of ASCII letters, digits and hyphens", i+1, r.Name)
		case names[r.Name]:
			return fmt.Errorf("rule %d: second rule called %q", i+1, r.Name)
		case r.HTML > HTMLAlways:
			return fmt.Errorf("rule %q: unknown HTML mode %d", r.Name, r.HTML)
		}
		names[r.Name] = true
		for _, p := range r.When.Client {
			if !p.IsValid() {
				return fmt.Errorf("rule %q: invalid client network", r.Name)
			}
		}
	}
	return nil
}

const ruleNameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

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
			r.When = When{}
			forced := *f
			forced.rules = []Rule{r}
			return &forced, nil
		}
	}
	return nil, fmt.Errorf("no rule called %q; there are %q", name, f.Rules())
}

// rule returns the rule for a message.
func (f *Filter) rule(env *Envelope) Rule {
	for _, r := range f.rules {
		if r.When.matches(env) {
			return r
		}
	}
	return strangers
}
