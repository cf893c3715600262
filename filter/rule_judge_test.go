package filter_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/policy"
)

// TestListsOfRules: the lists of a rule apply to its messages, in addition to those of the filter.
// If several rules decide about a message, all their protected and blocked names count, but only
// the hosts that all of them allow.
func TestListsOfRules(t *testing.T) {
	to := func(recipient string) rule.When { return rule.When{Recipient: []string{recipient}} }
	f := newFilter(t, filter.Options{
		Policy: policy.Options{Allow: []string{"allowed.example.net"}, Protected: []string{"kestrelbank.com"}, Block: []string{"blocked.example.net"}},
		Rules: []rule.Rule{
			{
				Name: "a", When: to("@a.example"), Protected: []string{"brightharbor.net"},
				Allow: []string{"one.example.net", "both.example.net"}, Block: []string{"two.example.net", "one.example.net", "both.example.net"},
			},
			{Name: "b", When: to("@b.example"), Allow: []string{"both.example.net"}},
			{Name: "rest"},
		},
	})
	for _, test := range []struct {
		name, url  string
		recipients []string
		want       policy.Code
	}{
		{"protected by the filter", "http://kestrelbnak.com", []string{"x@a.example"}, policy.CodeLookalike},
		{"protected by the rule", "http://brightharbour.net", []string{"x@a.example"}, policy.CodeLookalike},
		{"protected by another rule", "http://brightharbour.net", []string{"x@b.example"}, ""},
		{"protected by one of two rules", "http://brightharbour.net", []string{"x@b.example", "x@a.example"}, policy.CodeLookalike},
		{"blocked by the filter", "http://blocked.example.net", []string{"x@b.example"}, policy.CodeBlocked},
		{"blocked by the rule", "http://two.example.net", []string{"x@a.example"}, policy.CodeBlocked},
		{"blocked by another rule", "http://two.example.net", []string{"x@c.example"}, ""},
		{"allowed by the filter", "http://allowed.example.net", []string{"x@a.example"}, ""},
		{"allowed by the rule", "http://one.example.net", []string{"x@a.example"}, ""},
		{"allowed by one of two rules", "http://one.example.net", []string{"x@a.example", "x@b.example"}, policy.CodeBlocked},
		{"allowed by both rules", "http://both.example.net", []string{"x@a.example", "x@b.example"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			env := envelope.Envelope{Sender: "x@example.com", Recipients: test.recipients}
			for range 2 { // the second time by the judge that the filter kept
				result := check(t, test.name, f, env, []byte(text("See "+test.url+"\r\n")))
				if len(result.Report.Links) != 1 {
					t.Fatalf("links %+v", result.Report.Links)
				}
				var got policy.Code
				for _, finding := range result.Report.Links[0].Verdict.Findings {
					got = finding.Code
				}
				if got != test.want {
					t.Errorf("%q, want %q", got, test.want)
				}
			}
		})
	}
	for _, u := range []rule.Rule{
		{Name: "r", Allow: []string{"a b"}},
		{Name: "r", Block: []string{"https://example.net"}},
		{Name: "r", Protected: []string{"com"}},
	} {
		if _, err := filter.New(filter.Options{Rules: []rule.Rule{u}}); err == nil {
			t.Errorf("%+v: no error", u)
		}
	}
}
