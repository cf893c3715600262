package config

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/policy"
)

// A remark is a warning about a rule that is valid but never decides.
type remark struct {
	rule int    // index of the rule
	key  string // key in the rule, such as "when.client[0]"; "" for the whole rule
	text string
}

// unreachable returns remarks about rules that never decide. The conditions of such a rule
// contradict each other, or a rule before it takes all of its messages.
func unreachable(rules []rule.Rule) []remark {
	var remarks []remark
	for i, r := range rules {
		if len(r.When.Recipient) > 0 && len(r.When.AnyRecipient) > 0 && disjoint(r.When.Recipient, r.When.AnyRecipient) {
			remarks = append(remarks, remark{i, "when.any_recipient", fmt.Sprintf(
				"rule %q: never decides, since when.recipient excludes all of these (want an address in both, or one of the conditions)", r.Name)})
		} else if takers := takersOf(&r.When, rules[:i]); takers != nil {
			remarks = append(remarks, remark{i, "", fmt.Sprintf(
				"rule %q: never decides, all of its messages meet %s above (want it higher up, or narrower conditions there)", r.Name, strings.Join(takers, " or "))})
		}
	}
	return remarks
}

// takersOf returns the rules that together take all messages that meet w: a single rule, or two of
// which one is for clients that logged in and the other for those that did not.
func takersOf(w *rule.When, before []rule.Rule) []string {
	find := func(w *rule.When) string {
		i := slices.IndexFunc(before, func(r rule.Rule) bool { return holdsFor(&r.When, w) })
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

// holdsFor reports whether every message that meets narrow also meets wide. If it cannot tell, it
// returns false.
func holdsFor(wide, narrow *rule.When) bool {
	return (wide.Authenticated == nil || narrow.Authenticated != nil && *wide.Authenticated == *narrow.Authenticated) &&
		within(wide.Client, narrow.Client, containsNetwork) &&
		within(wide.Daemon, narrow.Daemon, sameText) &&
		within(wide.Sender, narrow.Sender, covers) &&
		within(wide.Recipient, narrow.Recipient, covers) &&
		(within(wide.AnyRecipient, narrow.AnyRecipient, covers) || len(narrow.Recipient) > 0 && within(wide.AnyRecipient, narrow.Recipient, covers)) &&
		within(wide.Auth, narrow.Auth, sameText) &&
		!slices.ContainsFunc(wide.Findings, func(code policy.Code) bool { return !slices.Contains(narrow.Findings, code) }) &&
		withinFields(wide.Header, narrow.Header)
}

// withinFields reports whether all messages that meet the conditions narrow on header fields also
// meet the conditions wide.
func withinFields(wide, narrow map[string]string) bool {
	for name, pattern := range wide {
		found := false
		for other, narrower := range narrow {
			found = found || strings.EqualFold(name, other) && (pattern == "*" || strings.EqualFold(pattern, narrower))
		}
		if !found {
			return false
		}
	}
	return true
}

// within reports whether all messages that meet a condition with the values narrow also meet one
// with the values wide. A condition without values always holds.
func within[T any](wide, narrow []T, contains func(a, b T) bool) bool {
	if len(wide) == 0 {
		return true
	}
	missing := func(b T) bool {
		return !slices.ContainsFunc(wide, func(a T) bool { return contains(a, b) })
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, missing)
}

func sameText(a, b string) bool { return a == b }

func containsNetwork(a, b netip.Prefix) bool { return a.Bits() <= b.Bits() && a.Contains(b.Addr()) }

// covers reports whether a pattern of addresses matches all that another one matches.
func covers(a, b string) bool {
	set, err := pattern.NewAddresses([]string{a})
	return err == nil && set.Covers(b)
}

// disjoint reports whether no address matches patterns of both lists. If two patterns share an
// address, one covers the other.
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
