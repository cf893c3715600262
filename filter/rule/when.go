package rule

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/policy"
)

// When says which messages a rule matches: those that meet all conditions that are set. For a condition
// with several values, one of them is enough. The zero value matches every message.
//
// Patterns of addresses are `anna@example.com` for that address, `@example.com` for every address at
// that domain, `.example.com` for every address at a domain below it, and `<>` for the null sender of
// bounces. Case does not matter, and domains may be in U-labels or A-labels.
//
// Header maps names of fields to patterns for their values, unfolded and with encoded words (RFC 2047)
// decoded. `*` matches any text; case does not matter. Of several fields with the same name, one has to
// match.
//
// All codes of Findings must be among the findings. A rule with this condition is chosen when the message
// is judged, so it cannot say how to judge it.
type When struct {
	Authenticated *bool             `toml:"authenticated" help:"the client logged in (true), or did not (false)"`
	Client        []netip.Prefix    `toml:"client" help:"the client's address is in one of these networks"`
	Daemon        []string          `toml:"daemon" help:"the mail server's daemon (macro {daemon_name}) has one of these names"`
	Sender        []string          `toml:"sender" check:"address" help:"the envelope sender: anna@example.com, @example.com, .example.com (below it), <> (bounces)"`
	Recipient     []string          `toml:"recipient" check:"address" help:"every envelope recipient is one of these"`
	AnyRecipient  []string          `toml:"any_recipient" check:"address" help:"at least one envelope recipient is one of these"`
	Header        map[string]string `toml:"header" help:"header fields and patterns for their values, all of which hold; * matches any text"`
	Auth          []string          `toml:"auth" check:"auth-result" help:"a server of header.authserv_ids wrote one of these into Authentication-Results: dkim=pass, dmarc=fail"`
	// Findings are known when the message is read: see Rule.readingKeys.
	Findings []policy.Code `toml:"findings" check:"found-code" help:"the message or its links have findings with all of these codes, of any severity: claim, free-hosting"`
}

// matcher is a When with its patterns compiled.
type matcher struct {
	When
	sender, recipient, anyRecipient *pattern.Addresses // nil: no condition
	header                          []headerGlob
	auth                            []mailauth.Condition
}

type headerGlob struct {
	name  string
	value pattern.Glob
}

// newMatcher validates and compiles a When.
func newMatcher(w When) (matcher, error) {
	m := matcher{When: w}
	for _, p := range w.Client {
		if !p.IsValid() {
			return m, fmt.Errorf("client: invalid network")
		}
	}
	if slices.Contains(w.Daemon, "") {
		return m, fmt.Errorf("daemon: empty name")
	}
	for _, set := range []struct {
		key      string
		patterns []string
		to       **pattern.Addresses
	}{
		{"sender", w.Sender, &m.sender},
		{"recipient", w.Recipient, &m.recipient},
		{"any_recipient", w.AnyRecipient, &m.anyRecipient},
	} {
		if len(set.patterns) == 0 {
			continue
		}
		var err error
		if *set.to, err = pattern.NewAddresses(set.patterns); err != nil {
			return m, fmt.Errorf("%s: %w", set.key, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Header)) {
		if !validFieldName(name) {
			return m, fmt.Errorf("header: name %q: not a field name (want a name such as Subject)", name)
		}
		if w.Header[name] == "" {
			return m, fmt.Errorf("header: %s: no pattern (want * for any value)", name)
		}
		if err := pattern.CheckFieldGlob(w.Header[name]); err != nil {
			return m, fmt.Errorf("header: %s: %w", name, err)
		}
		m.header = append(m.header, headerGlob{name, pattern.NewGlob(w.Header[name])})
	}
	for _, text := range w.Auth {
		condition, err := mailauth.ParseCondition(text)
		if err != nil {
			return m, fmt.Errorf("auth: %w", err)
		}
		m.auth = append(m.auth, condition)
	}
	return m, nil
}

// validFieldName reports whether s is a field name (RFC 5322 §2.2).
func validFieldName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) < 0
}

// unmet returns the key of the first condition that a message does not meet, or "". It skips Recipient,
// the condition on every recipient. A message that is not judged yet meets no condition on findings.
func (m *matcher) unmet(to *message) string {
	contains := func(p netip.Prefix) bool { return p.Contains(to.client) }
	switch {
	case m.Authenticated != nil && *m.Authenticated != to.Authenticated:
		return "authenticated"
	case len(m.Client) > 0 && !slices.ContainsFunc(m.Client, contains):
		return "client"
	case len(m.Daemon) > 0 && !slices.Contains(m.Daemon, to.Daemon):
		return "daemon"
	case m.sender != nil && !m.sender.Has(pattern.ParseAddress(to.Sender)):
		return "sender"
	case m.anyRecipient != nil && !slices.ContainsFunc(to.addresses(), m.anyRecipient.Has):
		return "any_recipient"
	}
	for _, h := range m.header {
		if !slices.ContainsFunc(to.fields(h.name), h.value.Matches) {
			return "header." + h.name
		}
	}
	met := func(c mailauth.Condition) bool { return c.Match(to.results()) }
	if len(m.auth) > 0 && !slices.ContainsFunc(m.auth, met) {
		return "auth"
	}
	missing := func(code policy.Code) bool { return to.has == nil || !to.has(code) }
	if slices.ContainsFunc(m.Findings, missing) {
		return "findings"
	}
	return ""
}

// matchesRecipient reports whether a recipient meets the condition Recipient. Without this condition
// every recipient does. a is nil for a message without recipients, which does not meet it.
func (m *matcher) matchesRecipient(a *pattern.Address) bool {
	return m.recipient == nil || a != nil && m.recipient.Has(*a)
}
