package policy_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

func TestBidiOrder(t *testing.T) {
	const code = policy.CodeBidiOrder
	check(t, []judged{
		{"a domain before right-to-left labels", "http://example.com.אב.קום/", code, policy.SeverityMedium},
		{"longer", "http://www.example.com.دولة.شبكة/", code, policy.SeverityMedium},
		{"digits after a right-to-left domain", "http://example.ישראל/2026", code, policy.SeverityInfo},
		{"right-to-left path after a right-to-left domain", "http://example.ישראל/שלום", code, policy.SeverityInfo},
		{"Latin path after a right-to-left domain", "http://example.ישראל/news", code, policy.SeverityNone},
		{"right-to-left labels", "http://موقع.وزارة-الاتصالات.مصر/", code, policy.SeverityNone},
		{"www before", "http://www.ספריה.ישראל", code, policy.SeverityNone},
		{"right-to-left label below com", "http://www.אב.com/12", code, policy.SeverityNone},
		{"left to right only", "http://www.example.com/שלום", code, policy.SeverityNone},
	})
}

// TestLookalikeBidi: the judge compares right-to-left letters in the order in which they are
// displayed, not in that in which they are stored.
func TestLookalikeBidi(t *testing.T) {
	const link = "http://סוסו.example" // displayed "lolo"
	tests := []struct {
		protected string
		want      policy.Severity
	}{
		{"lolo.example", policy.SeverityHigh},
		{"olol.example", policy.SeverityMedium}, // whole-script-confusable
	}
	for _, tt := range tests {
		t.Run(tt.protected, func(t *testing.T) {
			j := newJudge(t, policy.Options{Protected: []string{tt.protected}})
			if v := j.Link(parse(t, link)); v.Worst() != tt.want {
				t.Errorf("%+v", v.Findings)
			}
		})
	}
}
