package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// senderOf reads a sender such as "Name <address>": it returns the name, the links in the name, and
// the address.
func senderOf(t *testing.T, scanner *engine.Scanner, sender string) (name string, named []engine.Link, address engine.Link) {
	t.Helper()
	name, rest, ok := strings.Cut(sender, " <")
	if !ok || !strings.HasSuffix(rest, ">") {
		t.Fatalf("sender %q: no address (want \"Name <address>\")", sender)
	}
	address = engine.Link{Kind: engine.KindEmail}
	if rest != ">" {
		address = parse(t, strings.TrimSuffix(rest, ">"))
	}
	return name, scanner.Append(nil, name), address
}

// TestNameRules: each rule for display names decides about its first example and not about its
// second. A rule that excuses must not excuse the dishonest sender. A rule that finds must find
// less for the honest one. Without the rule, its example has another result.
func TestNameRules(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: []string{"kestrelbank.com", "nova.example"}})
	scanner := newScanner(t)
	names := map[string]bool{}
	for _, rule := range policy.NameRules() {
		t.Run(rule.Name, func(t *testing.T) {
			if names[rule.Name] {
				t.Error("another rule has the name")
			}
			names[rule.Name] = true
			severity := func(sender, without string) policy.Severity {
				name, named, address := senderOf(t, scanner, sender)
				_, worst := j.DecidingRules(name, named, address, without)
				return worst
			}
			decides := func(sender string) bool {
				name, named, address := senderOf(t, scanner, sender)
				rules, _ := j.DecidingRules(name, named, address, "")
				return slices.Contains(rules, rule.Name)
			}
			decided, other := rule.Dishonest, rule.Honest
			if rule.Finds == policy.SeverityNone {
				decided, other = rule.Honest, rule.Dishonest
			}
			if !decides(decided) {
				t.Errorf("%q: the rule does not decide", decided)
			}
			if decides(other) {
				t.Errorf("%q: the rule decides", other)
			}
			if got := severity(decided, rule.Name); got == rule.Finds {
				t.Errorf("%q: %s without the rule, too", decided, got)
			}
			if honest, dishonest := severity(rule.Honest, ""), severity(rule.Dishonest, ""); honest >= dishonest {
				t.Errorf("%q: %s; %q: %s", rule.Honest, honest, rule.Dishonest, dishonest)
			}
			for _, sender := range []string{rule.Honest, rule.Dishonest} {
				name, named, address := senderOf(t, scanner, sender)
				_, worst := j.DecidingRules(name, named, address, "")
				found := policy.SeverityNone
				for _, f := range slices.Concat(j.DisplayName(name, named, address), j.DisplayName(name, nil, address)) {
					found = max(found, f.Severity)
				}
				if found != worst {
					t.Errorf("%q: %s, the rules say %s", sender, found, worst)
				}
			}
		})
	}
}
