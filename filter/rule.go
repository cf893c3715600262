package filter

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// A Rule says what is done with the messages that it matches.
type Rule struct {
	Name string // for logs; ASCII letters, digits and hyphens
	When When
	HTML HTML // whether an HTML alternative is added to plain texts
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

// HTML says when an HTML alternative is added to a plain text that has none.
type HTML uint8

// When an alternative is added. The zero value leaves texts alone.
const (
	// HTMLNever: texts are read and judged, nothing more.
	HTMLNever HTML = iota
	// HTMLNeeded: when a link reads better than it was typed, or was typed
	// with characters beyond ASCII, at which some programs cut links.
	HTMLNeeded
	// HTMLAlways: always.
	HTMLAlways
)

// String returns the name that configurations use.
func (h HTML) String() string {
	switch h {
	case HTMLNeeded:
		return "needed"
	case HTMLAlways:
		return "always"
	}
	return "never"
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
