package report_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

func TestReportString(t *testing.T) {
	link, suspect := report.Found{Link: engine.Link{Kind: engine.KindURL}}, report.Found{Link: engine.Link{Kind: engine.KindSuspect}}
	bad := report.Found{Verdict: policy.Verdict{Findings: []policy.Finding{{Severity: policy.SeverityLow}, {Severity: policy.SeverityHigh}}}}
	for want, r := range map[string]report.Report{
		"edited: 3 links, rule local": {
			Edited: true, Rule: "local", Outcome: report.OutcomeComplete, Links: []report.Found{link, link, link},
		},
		"not edited (signed): 1 link, rule authenticated": {
			NotDone: "signed", Rule: "authenticated", Outcome: report.OutcomeComplete, Links: []report.Found{link},
		},
		"not edited (nothing-to-change): 0 links, 1 suspect": {
			NotDone: "nothing-to-change", Outcome: report.OutcomeComplete, Links: []report.Found{suspect},
		},
		"edited: 1 link, worst finding high, rule local": {
			Edited: true, Rule: "local", Outcome: report.OutcomeComplete, Links: []report.Found{bad},
		},
		"not edited (panic): 0 links, unread (panic), rule local": {
			NotDone: "panic", Rule: "local", Reasons: []report.Reason{"panic"},
		},
		"dry run: edited: 0 links, worst finding low, partial (nul), action tag (nul), rule local": {
			DryRun: true, Edited: true, Rule: "local", Outcome: report.OutcomePartial, Reasons: []report.Reason{"nul"},
			Findings: []policy.Finding{{Code: report.CodePartial, Severity: policy.SeverityHigh}, {Severity: policy.SeverityLow}},
			Action:   rule.ActionTag, Because: "nul",
		},
		"not edited (nul): 2 links, partial (nul, html-too-long), rule local": {
			NotDone: "nul", Rule: "local", Outcome: report.OutcomePartial,
			Reasons: []report.Reason{"nul", "html-too-long"}, Links: []report.Found{link, link},
		},
	} {
		if got := r.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestWorst: Worst counts findings about the message and about its links.
func TestWorst(t *testing.T) {
	low, high := policy.Finding{Severity: policy.SeverityLow}, policy.Finding{Code: report.CodePartial, Severity: policy.SeverityHigh}
	links := []report.Found{{}, {Verdict: policy.Verdict{Findings: []policy.Finding{low}}}}
	for _, test := range []struct {
		r    report.Report
		want policy.Severity
	}{
		{report.Report{}, policy.SeverityNone},
		{report.Report{Links: links}, policy.SeverityLow},
		{report.Report{Links: links, Findings: []policy.Finding{high}}, policy.SeverityHigh},
		{report.Report{Links: []report.Found{{Verdict: policy.Verdict{Findings: []policy.Finding{high}}}}, Findings: []policy.Finding{low}}, policy.SeverityHigh},
	} {
		if got := test.r.Worst(); got != test.want {
			t.Errorf("%+v: %s, want %s", test.r, got, test.want)
		}
	}
	if got := report.Worst([]policy.Finding{high}, links, report.CodePartial); got.Severity != policy.SeverityLow {
		t.Errorf("without %s: %+v", report.CodePartial, got)
	}
}

// TestCut: the first reason stays, and an unread part does not become a partial one.
func TestCut(t *testing.T) {
	for before, want := range map[report.Part]report.Part{
		{Outcome: report.OutcomeComplete}:               {Outcome: report.OutcomePartial, Reason: "new"},
		{Outcome: report.OutcomePartial, Reason: "old"}: {Outcome: report.OutcomePartial, Reason: "old"},
		{Outcome: report.OutcomeUnread, Reason: "old"}:  {Outcome: report.OutcomeUnread, Reason: "old"},
	} {
		got := before
		if got.Cut("new"); got != want {
			t.Errorf("%+v becomes %+v, want %+v", before, got, want)
		}
	}
}
