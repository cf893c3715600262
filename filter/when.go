package filter

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/mailauth"
)

// When says which messages a rule matches: those that meet all conditions that
// are set. A condition with several values is met by any of them. The zero
// value matches every message.
//
// Patterns of addresses are `anna@example.com` for that address, `@example.com`
// for every address at that domain, `.example.com` for every address at a domain
// below it, and `<>` for the null sender of bounces. Case does not matter, and
// domains may be written in U-labels or A-labels.
type When struct {
	Authenticated *bool          // the client logged in, or did not; nil: either
	Client        []netip.Prefix // the client's address is in one of these networks
	Daemon        []string       // the MTA's daemon is called so (macro {daemon_name})
	Sender        []string       // the envelope sender is one of these patterns
	Recipient     []string       // every envelope recipient is one of these patterns
	AnyRecipient  []string       // at least one envelope recipient is one of these patterns
	Header        []HeaderMatch  // the header has all of these fields
	// Auth are results of authentication such as "dkim=pass": a server of
	// Options.AuthservIDs wrote one of these into Authentication-Results.
	Auth []string
}

// A HeaderMatch is a condition on the header of a message.
type HeaderMatch struct {
	Name string // of a field, without regard to case
	// Value is a pattern for the whole value of the field, unfolded and with the
	// words of RFC 2047 decoded: `*` stands for any text, even none; case does
	// not matter. Of several fields of that name one has to match.
	Value string
}

// matcher is a When made ready.
type matcher struct {
	When
	sender, recipient, anyRecipient *addressSet // nil: no condition
	header                          []headerGlob
	auth                            []mailauth.Condition
}

type headerGlob struct {
	name  string
	value glob
}

// newMatcher validates a When.
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
		to       **addressSet
	}{
		{"sender", w.Sender, &m.sender},
		{"recipient", w.Recipient, &m.recipient},
		{"any_recipient", w.AnyRecipient, &m.anyRecipient},
	} {
		if len(set.patterns) == 0 {
			continue
		}
		var err error
		if *set.to, err = newAddressSet(set.patterns); err != nil {
			return m, fmt.Errorf("%s: %w", set.key, err)
		}
	}
	for _, h := range w.Header {
		if !isFieldName(h.Name) {
			return m, fmt.Errorf("header: %q is no field name", h.Name)
		}
		if h.Value == "" {
			return m, fmt.Errorf("header: no pattern for the value of %s; * stands for any", h.Name)
		}
		m.header = append(m.header, headerGlob{h.Name, newGlob(h.Value)})
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

// isFieldName reports whether s is a field name (RFC 5322 §2.2).
func isFieldName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) < 0
}

// A subject is a message as rules see it.
type subject struct {
	*work
	client    netip.Addr
	addresses []address // see recipients
}

func newSubject(w *work) subject {
	// An IPv4 client of an IPv6 socket is an IPv4 client.
	return subject{work: w, client: w.env.Client.Unmap().WithZone("")}
}

// recipients returns the envelope recipients taken apart: once, and only where a
// rule asks for them.
func (s *subject) recipients() []address {
	if s.addresses == nil {
		s.addresses = make([]address, len(s.env.Recipients))
		for i, r := range s.env.Recipients {
			s.addresses[i] = newAddress(r)
		}
	}
	return s.addresses
}

// matches reports whether a message meets all conditions but that on every
// recipient.
func (m *matcher) matches(s *subject) bool {
	if m.Authenticated != nil && *m.Authenticated != s.env.Authenticated {
		return false
	}
	contains := func(p netip.Prefix) bool { return p.Contains(s.client) }
	switch {
	case len(m.Client) > 0 && !slices.ContainsFunc(m.Client, contains),
		len(m.Daemon) > 0 && !slices.Contains(m.Daemon, s.env.Daemon),
		m.sender != nil && !m.sender.has(newAddress(s.env.Sender)),
		m.anyRecipient != nil && !slices.ContainsFunc(s.recipients(), m.anyRecipient.has):
		return false
	}
	for _, h := range m.header {
		if !slices.ContainsFunc(s.fields(h.name), h.value.matches) {
			return false
		}
	}
	met := func(c mailauth.Condition) bool { return c.Match(s.results()) }
	return len(m.auth) == 0 || slices.ContainsFunc(m.auth, met)
}

// matchesRecipient reports whether a recipient meets the condition on every
// recipient. Without a condition it does; where there is one, a message without
// recipients does not.
func (m *matcher) matchesRecipient(a *address) bool {
	return m.recipient == nil || a != nil && m.recipient.has(*a)
}
