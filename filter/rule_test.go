package filter_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

func TestBuiltinRules(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range []struct {
		name          string
		client        netip.Addr
		authenticated bool
		rule          string
	}{
		{"logged in from afar", netip.MustParseAddr("203.0.113.9"), true, "authenticated"},
		{"logged in, address unknown", netip.Addr{}, true, "authenticated"},
		{"IPv4 loopback", netip.MustParseAddr("127.0.0.1"), false, "local"},
		{"IPv4 loopback, another address", netip.MustParseAddr("127.8.9.1"), false, "local"},
		{"IPv6 loopback", netip.MustParseAddr("::1"), false, "local"},
		{"IPv4 loopback through an IPv6 socket", netip.MustParseAddr("::ffff:127.0.0.1"), false, "local"},
		{"stranger", netip.MustParseAddr("203.0.113.9"), false, "others"},
		{"stranger by IPv6", netip.MustParseAddr("2001:db8::1"), false, "others"},
		{"private network", netip.MustParseAddr("192.168.0.2"), false, "others"},
		{"address unknown", netip.Addr{}, false, "others"},
	} {
		t.Run(test.name, func(t *testing.T) {
			env := envelope.Envelope{Sender: "anna@example.com", Client: test.client, Authenticated: test.authenticated}
			result := check(t, test.name, f, env, []byte(plain))
			if result.Report.Rule != test.rule {
				t.Errorf("rule %s, want %s", result.Report.Rule, test.rule)
			}
			if edited := result.Edited != nil; edited != (test.rule != "others") {
				t.Errorf("edited %v by rule %s", edited, test.rule)
			}
			if len(result.Report.Links) != 1 {
				t.Errorf("%d links, want 1 whatever the rule", len(result.Report.Links))
			}
		})
	}
}

func TestHTMLModes(t *testing.T) {
	noLinks := []byte(text("Nothing to see.\r\n"))
	for _, test := range []struct {
		html    rule.HTML
		message []byte
		edited  bool
		reason  report.Reason
	}{
		{rule.HTMLNever, []byte(plain), false, "not-asked"},
		{rule.HTMLNeeded, []byte(plain), true, ""},
		{rule.HTMLNeeded, noLinks, false, "nothing-to-change"},
		{rule.HTMLAlways, []byte(plain), true, ""},
		{rule.HTMLAlways, noLinks, true, ""},
	} {
		f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "r", HTML: test.html}}})
		result := check(t, fmt.Sprint("html ", test.html), f, envelope.Envelope{Sender: "a@example.com"}, test.message)
		if edited := result.Edited != nil; edited != test.edited || result.Report.NotDone != test.reason {
			t.Errorf("html %d: edited %v, not done %q; want %v, %q", test.html, edited, result.Report.NotDone, test.edited, test.reason)
		}
	}
}

func TestFirstMatchingRuleDecides(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{
		{Name: "office", When: rule.When{Client: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}},
		{Name: "logged-in-at-office", When: rule.When{Authenticated: new(true), Client: []netip.Prefix{netip.MustParsePrefix("192.0.0.0/8")}}},
		{Name: "logged-in", When: rule.When{Authenticated: new(true)}},
	}})
	for rule, env := range map[string]envelope.Envelope{
		"office":              {Client: netip.MustParseAddr("192.0.2.1"), Authenticated: true},
		"logged-in-at-office": {Client: netip.MustParseAddr("192.0.3.1"), Authenticated: true},
		"logged-in":           {Client: netip.MustParseAddr("203.0.113.9"), Authenticated: true},
		"others":              {Client: netip.MustParseAddr("192.0.3.1")},
	} {
		if got := f.Message(context.Background(), env, []byte(plain)).Report.Rule; got != rule {
			t.Errorf("rule %s, want %s", got, rule)
		}
	}
}

func TestWithRule(t *testing.T) {
	f := newFilter(t, filter.Options{})
	forced, err := f.WithRule("authenticated")
	if err != nil {
		t.Fatal(err)
	}
	stranger := envelope.Envelope{Sender: "anna@example.com"}
	if result := check(t, "forced", forced, stranger, []byte(plain)); result.Edited == nil || result.Report.Rule != "authenticated" {
		t.Errorf("report %s", result.Report)
	}
	if result := check(t, "not forced", f, stranger, []byte(plain)); result.Edited != nil {
		t.Errorf("WithRule changed the filter: %s", result.Report)
	}
	if _, err := f.WithRule("nobody"); err == nil {
		t.Error("a rule that does not exist was found")
	}
}

func TestOptionsThatContradictThemselves(t *testing.T) {
	for name, options := range map[string]filter.Options{
		"negative limit":        {Limits: filter.Limits{Growth: -1}},
		"negative link limit":   {Engine: engine.Options{MaxLinks: -1}},
		"unknown finding":       {Policy: policy.Options{Severities: map[policy.Code]policy.Severity{"no-such-code": policy.SeverityLow}}},
		"rule without a name":   {Rules: []rule.Rule{{HTML: rule.HTMLAlways}}},
		"two rules of one name": {Rules: []rule.Rule{{Name: "a"}, {Name: "a"}}},
		"rule that breaks logs": {Rules: []rule.Rule{{Name: "a b\n"}}},
		"unknown HTML mode":     {Rules: []rule.Rule{{Name: "a", HTML: 9}}},
		"unknown flagged mode":  {Rules: []rule.Rule{{Name: "a", Flagged: 9}}},
		"unknown action":        {Rules: []rule.Rule{{Name: "a", On: rule.On{Partial: 9}}}},
		"invalid prefix":        {Rules: []rule.Rule{{Name: "a", When: rule.When{Client: []netip.Prefix{{}}}}}},
	} {
		if _, err := filter.New(options); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
