package rule

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/pattern"
)

// A Remark says what is odd about a valid rule.
type Remark struct {
	Rule int    // index
	Key  string // of the rule, such as "when.client[0]"; "": the rule as a whole
	Text string
}

// Unreachable returns remarks about rules that never decide, since their conditions
// contradict each other or rules before them take all of their messages, and about
// networks that no client is in.
func Unreachable(rules []Rule) []Remark {
	var remarks []Remark
	for i, r := range rules {
		for n, network := range r.When.Client {
			if addr := network.Addr(); addr.Is4In6() && network.Bits() >= 96 {
				remarks = append(remarks, Remark{i, fmt.Sprintf("when.client[%d]", n), fmt.Sprintf(
					"network %q: matches no client, since IPv4 addresses are compared as such (want %q)",
					network, netip.PrefixFrom(addr.Unmap(), network.Bits()-96))})
			}
		}
		if len(r.When.Recipient) > 0 && len(r.When.AnyRecipient) > 0 && disjoint(r.When.Recipient, r.When.AnyRecipient) {
			remarks = append(remarks, Remark{i, "when.any_recipient", fmt.Sprintf(
				"rule %q: never decides, since when.recipient excludes all of these (want an address in both, or one of the conditions)", r.Name)})
		} else if takers := takersOf(&r.When, rules[:i]); takers != nil {
			remarks = append(remarks, Remark{i, "", fmt.Sprintf(
				"rule %q: never decides, all of its messages meet %s above (want it higher up, or narrower conditions there)", r.Name, strings.Join(takers, " or "))})
		}
	}
	return remarks
}

// takersOf returns the rules that take all messages that meet w: one alone, or two, for
// clients that logged in and for others.
func takersOf(w *When, before []Rule) []string {
	find := func(w *When) string {
		i := slices.IndexFunc(before, func(r Rule) bool { return r.When.covers(w) })
		if i < 0 {
			return ""
		}
		return fmt.Sprintf("rule %q", before[i].Name)
	}
	if taker := find(w); taker != "" {
		return []string{taker}
	}
	if w.Authenticated != nil {
		return nil
	}
	loggedIn, other := *w, *w
	loggedIn.Authenticated, other.Authenticated = new(true), new(false)
	if a, b := find(&loggedIn), find(&other); a != "" && b != "" {
		return []string{a, b}
	}
	return nil
}

// covers reports whether every message that meets other also meets w. It may miss that.
func (w *When) covers(other *When) bool {
	return (w.Authenticated == nil || other.Authenticated != nil && *w.Authenticated == *other.Authenticated) &&
		within(w.Client, other.Client, containsNetwork) &&
		within(w.Daemon, other.Daemon, equal) &&
		within(w.Sender, other.Sender, covers) &&
		within(w.Recipient, other.Recipient, covers) &&
		(within(w.AnyRecipient, other.AnyRecipient, covers) || len(other.Recipient) > 0 && within(w.AnyRecipient, other.Recipient, covers)) &&
		within(w.Auth, other.Auth, equal) &&
		!slices.ContainsFunc(w.Header, func(a HeaderMatch) bool {
			return !slices.ContainsFunc(other.Header, func(b HeaderMatch) bool {
				return strings.EqualFold(a.Name, b.Name) && (a.Value == "*" || strings.EqualFold(a.Value, b.Value))
			})
		})
}

// within reports whether a condition with the values wide holds wherever one with the
// values narrow does. A condition without values always holds.
func within[T any](wide, narrow []T, contains func(a, b T) bool) bool {
	if len(wide) == 0 {
		return true
	}
	missing := func(b T) bool {
		return !slices.ContainsFunc(wide, func(a T) bool { return contains(a, b) })
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, missing)
}

func equal(a, b string) bool { return a == b }

func containsNetwork(a, b netip.Prefix) bool { return a.Bits() <= b.Bits() && a.Contains(b.Addr()) }

// covers reports whether a pattern of addresses matches all that another one matches.
func covers(a, b string) bool {
	set, err := pattern.NewAddresses([]string{a})
	return err == nil && set.Covers(b)
}

// disjoint reports whether no address matches patterns of both lists. Of two patterns
// that share an address one covers the other.
func disjoint(a, b []string) bool {
	for _, p := range a {
		for _, q := range b {
			if covers(p, q) || covers(q, p) {
				return false
			}
		}
	}
	return true
}
