package filter_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// decidedBy returns the rule that decides about a message.
func decidedBy(tb testing.TB, env envelope.Envelope, raw string, rules ...rule.Rule) string {
	tb.Helper()
	f, err := filter.New(filter.Options{Rules: rules})
	if err != nil {
		tb.Fatal(err)
	}
	decided := f.Message(context.Background(), env, []byte(raw)).Report.Rule
	checkUnmet(tb, f, env, raw, decided)
	return decided
}

// checkUnmet compares the results of Unmet with the rule that decided.
func checkUnmet(tb testing.TB, f *filter.Filter, env envelope.Envelope, raw, decided string) {
	tb.Helper()
	met := ""
	for name, key := range f.Unmet(env, []byte(raw)) {
		if key == "" && met == "" {
			met = name
		}
	}
	if met != "" && !strings.Contains(decided, met) || met == "" && decided != "others" {
		tb.Errorf("Unmet names %q, but %q decided", met, decided)
	}
}

// TestConditions has cases for and against every condition of a rule.
func TestConditions(t *testing.T) {
	env := func(change func(*envelope.Envelope)) envelope.Envelope {
		e := envelope.Envelope{
			Sender: "Anna@Example.com", Recipients: []string{"bert@example.org"},
			Client: netip.MustParseAddr("192.0.2.7"), Daemon: "submission",
		}
		if change != nil {
			change(&e)
		}
		return e
	}
	to := func(recipients ...string) envelope.Envelope {
		return env(func(e *envelope.Envelope) { e.Recipients = recipients })
	}
	from := func(sender string) envelope.Envelope {
		return env(func(e *envelope.Envelope) { e.Sender = sender })
	}
	net := func(s string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(s)} }
	for _, test := range []struct {
		name string
		when rule.When
		env  envelope.Envelope
		raw  string // plain where empty
		want bool
	}{
		{"no condition", rule.When{}, env(nil), "", true},
		{"no condition, empty envelope", rule.When{}, envelope.Envelope{}, "", true},

		{"authenticated, is", rule.When{Authenticated: new(true)}, env(func(e *envelope.Envelope) { e.Authenticated = true }), "", true},
		{"authenticated, is not", rule.When{Authenticated: new(true)}, env(nil), "", false},
		{"not authenticated, is", rule.When{Authenticated: new(false)}, env(func(e *envelope.Envelope) { e.Authenticated = true }), "", false},
		{"not authenticated, is not", rule.When{Authenticated: new(false)}, env(nil), "", true},

		{"client in network", rule.When{Client: net("192.0.2.0/24")}, env(nil), "", true},
		{"client in another network", rule.When{Client: net("198.51.100.0/24")}, env(nil), "", false},
		{"client in the second network", rule.When{Client: append(net("198.51.100.0/24"), net("192.0.2.7/32")...)}, env(nil), "", true},
		{"IPv4 client of an IPv6 socket", rule.When{Client: net("192.0.2.0/24")}, env(func(e *envelope.Envelope) { e.Client = netip.MustParseAddr("::ffff:192.0.2.7") }), "", true},
		{"IPv6 client with a zone", rule.When{Client: net("fe80::/10")}, env(func(e *envelope.Envelope) { e.Client = netip.MustParseAddr("fe80::1%eth0") }), "", true},
		{"client unknown", rule.When{Client: net("0.0.0.0/0")}, env(func(e *envelope.Envelope) { e.Client = netip.Addr{} }), "", false},

		{"daemon", rule.When{Daemon: []string{"smtp", "submission"}}, env(nil), "", true},
		{"another daemon", rule.When{Daemon: []string{"smtp"}}, env(nil), "", false},

		{"sender address", rule.When{Sender: []string{"anna@example.com"}}, env(nil), "", true},
		{"sender address in angle brackets", rule.When{Sender: []string{"anna@example.com"}}, from("<anna@example.com>"), "", true},
		{"sender address with a final dot", rule.When{Sender: []string{"anna@example.com"}}, from("anna@example.com."), "", true},
		{"another address", rule.When{Sender: []string{"bert@example.com"}}, env(nil), "", false},
		{"address at another domain", rule.When{Sender: []string{"anna@example.org"}}, env(nil), "", false},
		{"address with an @ in it", rule.When{Sender: []string{"@example.com"}}, from(`"a@evil.example"@example.com`), "", true},
		{"domain in the local part", rule.When{Sender: []string{"@example.com"}}, from(`"a@example.com"@evil.example`), "", false},
		{"sender domain", rule.When{Sender: []string{"@example.com"}}, env(nil), "", true},
		{"sender below the domain", rule.When{Sender: []string{"@example.com"}}, from("a@mail.example.com"), "", false},
		{"domain that ends alike", rule.When{Sender: []string{"@ample.com", ".ample.com"}}, env(nil), "", false},
		{"subdomain", rule.When{Sender: []string{".example.com"}}, from("a@mail.example.com"), "", true},
		{"subdomain of a subdomain", rule.When{Sender: []string{".example.com"}}, from("a@x.mail.example.com"), "", true},
		{"domain itself is not a subdomain", rule.When{Sender: []string{".example.com"}}, env(nil), "", false},
		{"A-labels for U-labels", rule.When{Sender: []string{"@b\u00fccher.example"}}, from("a@xn--bcher-kva.example"), "", true},
		{"U-labels for A-labels", rule.When{Sender: []string{"@xn--bcher-kva.example"}}, from("a@B\u00dcCHER.example"), "", true},
		{"address in UTF-8", rule.When{Sender: []string{"j\u00f6rg@b\u00fccher.example"}}, from("J\u00d6RG@b\u00fccher.example"), "", true},
		{"not a domain", rule.When{Sender: []string{".example"}}, from("a@under_score..example"), "", true},
		{"null sender", rule.When{Sender: []string{"<>"}}, from(""), "", true},
		{"null sender in brackets", rule.When{Sender: []string{"<>"}}, from("<>"), "", true},
		{"null sender is of no domain", rule.When{Sender: []string{"@example.com", ".example.com"}}, from(""), "", false},
		{"sender without domain", rule.When{Sender: []string{"@example.com"}}, from("anna"), "", false},

		{"recipient", rule.When{Recipient: []string{"@example.org"}}, env(nil), "", true},
		{"all recipients", rule.When{Recipient: []string{"@example.org"}}, to("a@example.org", "b@example.org"), "", true},
		{"no recipients", rule.When{Recipient: []string{"@example.org"}}, to(), "", false},
		{"another recipient", rule.When{Recipient: []string{"@example.org"}}, to("a@example.net"), "", false},

		{"any recipient", rule.When{AnyRecipient: []string{"@example.org"}}, to("a@example.net", "b@example.org"), "", true},
		{"none of the recipients", rule.When{AnyRecipient: []string{"@example.org"}}, to("a@example.net"), "", false},
		{"any of no recipients", rule.When{AnyRecipient: []string{"@example.org"}}, to(), "", false},

		{"header", rule.When{Header: map[string]string{"subject": "SAMPLE"}}, env(nil), "", true},
		{"header, another value", rule.When{Header: map[string]string{"Subject": "Samp"}}, env(nil), "", false},
		{"header, pattern", rule.When{Header: map[string]string{"Subject": "s*m*e"}}, env(nil), "", true},
		{"header, pattern that overlaps", rule.When{Header: map[string]string{"Subject": "sampl*ple"}}, env(nil), "", false},
		{"header, pieces in another order", rule.When{Header: map[string]string{"Subject": "*l*a*"}}, env(nil), "", false},
		{"header that is there", rule.When{Header: map[string]string{"Subject": "*"}}, env(nil), "", true},
		{"header that is not there", rule.When{Header: map[string]string{"X-None": "*"}}, env(nil), "", false},
		{"header, both fields", rule.When{Header: map[string]string{"Subject": "*", "From": "anna@*"}}, env(nil), "", true},
		{"header, one of both fields", rule.When{Header: map[string]string{"Subject": "*", "From": "x*"}}, env(nil), "", false},
		{"header, second of two", rule.When{Header: map[string]string{"X-A": "2"}}, env(nil), with("X-A: 1\r\nX-A: 2"), true},
		{"header, folded and encoded", rule.When{Header: map[string]string{"X-A": "gr\u00fc\u00dfe an alle"}}, env(nil), with("X-A: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n an alle"), true},

		{"all of several", rule.When{Daemon: []string{"submission"}, Sender: []string{"@example.com"}, Client: net("192.0.2.0/24")}, env(nil), "", true},
		{"not all of several", rule.When{Daemon: []string{"submission"}, Sender: []string{"@example.com"}, Client: net("192.0.3.0/24")}, env(nil), "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw := test.raw
			if raw == "" {
				raw = plain
			}
			if got := decidedBy(t, test.env, raw, rule.Rule{Name: "asked", When: test.when}) == "asked"; got != test.want {
				t.Errorf("matches %v, want %v", got, test.want)
			}
		})
	}
}

// TestConditionsThatAreNone: for an invalid condition, the error of New names the rule and the key.
func TestConditionsThatAreNone(t *testing.T) {
	for _, test := range []struct {
		when rule.When
		want []string
	}{
		{rule.When{Sender: []string{"anna"}}, []string{"sender", `"anna"`}},
		{rule.When{Sender: []string{""}}, []string{"sender"}},
		{rule.When{Sender: []string{"@"}}, []string{"sender"}},
		{rule.When{Sender: []string{"a@"}}, []string{"sender"}},
		{rule.When{Sender: []string{"@.example.com"}}, []string{"sender"}},
		{rule.When{Sender: []string{"a@.example.com"}}, []string{"sender"}},
		{rule.When{Recipient: []string{"@example.com", "@exa mple.com"}}, []string{"recipient", "exa mple.com"}},
		{rule.When{AnyRecipient: []string{".."}}, []string{"any_recipient"}},
		{rule.When{Daemon: []string{""}}, []string{"daemon"}},
		{rule.When{Client: []netip.Prefix{{}}}, []string{"client"}},
		{rule.When{Header: map[string]string{"Sub ject": "*"}}, []string{"header", "Sub ject"}},
		{rule.When{Header: map[string]string{"Subject:": "*"}}, []string{"header"}},
		{rule.When{Header: map[string]string{"Subject": ""}}, []string{"header", "Subject"}},
	} {
		_, err := filter.New(filter.Options{Rules: []rule.Rule{{Name: "fine"}, {Name: "broken", When: test.when}}})
		if err == nil {
			t.Errorf("%+v: no error", test.when)
			continue
		}
		for _, part := range append(test.want, `rule "broken"`) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not name %s", err, part)
			}
		}
	}
}

// TestRecipientsUnderDifferentRules: for each recipient, the first rule counts that matches the
// message and the recipient. The filter does what all these rules allow.
func TestRecipientsUnderDifferentRules(t *testing.T) {
	at := func(domain string) rule.When { return rule.When{Recipient: []string{"@" + domain}} }
	rules := []rule.Rule{
		{Name: "lists", When: at("lists.example"), HTML: rule.HTMLNever},
		{Name: "any", When: rule.When{AnyRecipient: []string{"boss@example.com"}}, HTML: rule.HTMLAlways},
		{Name: "staff", When: at("example.com"), HTML: rule.HTMLNeeded},
		{Name: "rest", HTML: rule.HTMLAlways},
	}
	for _, test := range []struct {
		recipients string
		want       string
	}{
		{"", "rest"},
		{"a@example.com", "staff"},
		{"a@example.com b@example.com", "staff"},
		{"a@example.com x@lists.example", "lists+staff"},
		{"x@lists.example y@lists.example", "lists"},
		{"a@example.net a@example.com x@lists.example", "lists+staff+rest"},
		{"boss@example.com", "any"},
		{"boss@example.com a@example.com", "any"},
		{"boss@example.com x@lists.example", "lists+any"},
	} {
		env := envelope.Envelope{Sender: "s@example.com", Recipients: strings.Fields(test.recipients)}
		if got := decidedBy(t, env, plain, rules...); got != test.want {
			t.Errorf("to %q: rule %s, want %s", test.recipients, got, test.want)
		}
	}
	env := envelope.Envelope{Sender: "s@example.com", Recipients: []string{"a@example.com", "x@lists.example"}}
	if got := decidedBy(t, env, plain, rules[0]); got != "lists+others" {
		t.Errorf("rule %s, want one recipient under the built-in rule", got)
	}
}

// TestManyRecipients: the time grows linearly with the number of recipients, up to ten thousand.
func TestManyRecipients(t *testing.T) {
	var rules []rule.Rule
	for i := range 50 {
		rules = append(rules, rule.Rule{Name: fmt.Sprintf("r%d", i), When: rule.When{Recipient: []string{fmt.Sprintf(".d%d.example", i)}}})
	}
	env := envelope.Envelope{Sender: "s@example.com"}
	for i := range 10_000 {
		env.Recipients = append(env.Recipients, fmt.Sprintf("u%d@mail.d%d.example", i, i%50))
	}
	if got := decidedBy(t, env, plain, rules...); strings.Count(got, "+") != 49 {
		t.Errorf("rule %s", got)
	}
}
