package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/policy"
)

// A forRule is a list of one host that applies to the messages of one rule.
type forRule struct{ rule, of string }

func (l forRule) Find(link engine.Link) []policy.Listed {
	if link.ASCIIHost() == "evil.example.net" && strings.Contains(l.of, l.rule) {
		return []policy.Listed{{List: "feed", Line: 1, Label: "evil.example.net", Severity: policy.SeverityHigh}}
	}
	return nil
}

func (l forRule) Of(rule string) policy.Lists { return forRule{l.rule, rule} }
func (l forRule) ByRule() bool                { return true }

// TestListForARule: a list that is for one rule flags only messages of that rule.
func TestListForARule(t *testing.T) {
	f := newFilter(t, filter.Options{
		Policy: policy.Options{Lists: forRule{rule: "strict"}},
		Rules:  []rule.Rule{{Name: "strict", When: rule.When{Recipient: []string{"@a.example"}}}, {Name: "rest"}},
	})
	for recipient, want := range map[string]int{"x@a.example": 1, "x@b.example": 0} {
		env := envelope.Envelope{Sender: "x@example.com", Recipients: []string{recipient}}
		result := check(t, recipient, f, env, []byte(text("See http://evil.example.net/\r\n")))
		if n := len(result.Report.Links[0].Verdict.Findings); n != want {
			t.Errorf("%s: %d findings", recipient, n)
		}
	}
}
