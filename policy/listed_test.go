package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// lines says, for the text of a link, which lists have it, with the line.
type lines map[string]policy.Listed

func (l lines) Find(link engine.Link) []policy.Listed {
	if line, ok := l[link.Text]; ok {
		return []policy.Listed{line}
	}
	return nil
}

func (l lines) Of(string) policy.Lists { return l }
func (l lines) ByRule() bool           { return false }

// TestListed: a link on a list, or one that leads on to such a link, has a finding with the name
// and line of the list.
func TestListed(t *testing.T) {
	const evil = "http://evil.example.org/login"
	block := policy.Listed{List: "feed", Line: 12, Label: "evil.example.org/login", IsURL: true, Severity: policy.SeverityHigh}
	watch := policy.Listed{List: "seen", Line: 1, Label: "evil.example.org", Watch: true, Severity: policy.SeverityInfo}
	for _, test := range []struct {
		name, link string
		options    policy.Options
		severity   policy.Severity
		want       string // text that the detail has
	}{
		{"itself", evil, policy.Options{Lists: lines{evil: block}}, policy.SeverityHigh, "is a page on the list feed (line 12)"},
		{"passed on", "https://www.google.com/url?q=" + evil, policy.Options{Lists: lines{evil: block}}, policy.SeverityHigh, "is a page on the list feed (line 12)"},
		{"watched", evil, policy.Options{Lists: lines{evil: watch}}, policy.SeverityInfo, "which you watch"},
		{"watched, passed on", "https://www.google.com/url?q=" + evil, policy.Options{Lists: lines{evil: watch}}, policy.SeverityInfo, "which you watch"},
		{"another severity", evil, policy.Options{Lists: lines{evil: block}, Severities: map[policy.Code]policy.Severity{policy.CodeListed: policy.SeverityLow}}, policy.SeverityLow, "feed"},
		{"allowed by the operator", evil, policy.Options{Lists: lines{evil: block}, Allow: []string{"evil.example.org"}}, policy.SeverityNone, ""},
		{"not listed", "http://example.org/", policy.Options{Lists: lines{evil: block}}, policy.SeverityNone, ""},
	} {
		found := policy.Finding{}
		for _, f := range newJudge(t, test.options).Link(parse(t, test.link)).Findings {
			if f.Code == policy.CodeListed {
				found = f
			}
		}
		if found.Severity != test.severity || !strings.Contains(found.Detail, test.want) {
			t.Errorf("%s: %+v", test.name, found)
		}
	}
}

// TestListAllows: a link on a list that allows has no findings but those of the operator's own
// block list.
func TestListAllows(t *testing.T) {
	const link = "http://paypa1.com/"
	allow := lines{link: {List: "known", Line: 1, Label: "paypa1.com", Allow: true}}
	if v := newJudge(t, policy.Options{Lists: allow}).Link(parse(t, link)); len(v.Findings) > 0 {
		t.Errorf("allowed: %+v", v.Findings)
	}
	if v := newJudge(t, policy.Options{Lists: allow, Block: []string{"paypa1.com"}}).Link(parse(t, link)); v.Worst() != policy.SeverityHigh {
		t.Errorf("allowed and blocked: %+v", v.Findings)
	}
}
