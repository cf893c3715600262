package filter_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

const trustedID = "mx.example.org"

// TestAuthCondition has a rule with conditions on authentication, and asks
// whether it matches.
func TestAuthCondition(t *testing.T) {
	const pass = "Authentication-Results: mx.example.org; dkim=pass header.d=example.com; spf=softfail smtp.mailfrom=example.com\r\n"
	for _, test := range []struct {
		name       string
		conditions []string
		header     string
		want       bool
	}{
		{"met", []string{"dkim=pass"}, pass, true},
		{"not met", []string{"dkim=fail"}, pass, false},
		{"one of several is met", []string{"dmarc=fail", "spf=softfail"}, pass, true},
		{"in capital letters", []string{"DKIM=Pass"}, strings.ToUpper(pass), true},
		{"nothing is said", []string{"dkim=none"}, "", false},
		{"an id that is not trusted", []string{"dkim=pass"}, strings.Replace(pass, trustedID, "mx.example.com", 1), false},
		{"an id that begins like one that is", []string{"dkim=pass"}, strings.Replace(pass, trustedID, trustedID+".example", 1), false},
		{"no id", []string{"dkim=pass"}, "Authentication-Results: dkim=pass\r\n", false},
		{"the server's own above a forged one", []string{"dkim=pass"}, strings.Replace(pass, "dkim=pass", "dkim=fail", 1) + pass, false},
		{"damaged", []string{"dkim=pass"}, "Authentication-Results: mx.example.org; dkim\r\n", false},
		{"in words that mail programs decode", []string{"dkim=pass"}, "Authentication-Results: =?utf-8?q?mx.example.org=3B_dkim=3Dpass?=\r\n", false},
	} {
		f := newFilter(t, filter.Options{
			AuthservIDs: []string{"other.example.org", trustedID},
			Rules:       []rule.Rule{{Name: "r", When: rule.When{Auth: test.conditions}}},
		})
		report := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com"}, []byte(test.header+plain)).Report
		if got := report.Rule == "r"; got != test.want {
			t.Errorf("%s: matches %t, want %t", test.name, got, test.want)
		}
	}
}

func TestAuthOptions(t *testing.T) {
	chosen := func(conditions ...string) []rule.Rule {
		return []rule.Rule{{Name: "r", When: rule.When{Auth: conditions}}}
	}
	trusted := []string{trustedID}
	for name, options := range map[string]filter.Options{
		"a condition without a trusted id": {Rules: chosen("dkim=pass")},
		"an unknown method":                {Rules: chosen("dkim2=pass"), AuthservIDs: trusted},
		"an unknown result":                {Rules: chosen("dkim=ok"), AuthservIDs: trusted},
		"no result":                        {Rules: chosen("dkim"), AuthservIDs: trusted},
		"an empty id":                      {AuthservIDs: []string{""}},
		"an id of two words":               {AuthservIDs: []string{"a b"}},
		"an id with a result":              {AuthservIDs: []string{"a;dkim=pass"}},
	} {
		if _, err := filter.New(options); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestUnalignedLink(t *testing.T) {
	const dmarc = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\r\n"
	elsewhere, own := text("See https://login.example.net/ please.\r\n"), text("See https://www.example.com/ please.\r\n")
	for _, test := range []struct {
		name, message string
		detail        string // empty: no finding
	}{
		{"DMARC passed", dmarc + elsewhere, "a link to login.example.net, in a message from example.com"},
		{"a signature that is aligned", "Authentication-Results: mx.example.org; dkim=pass header.d=mail.example.com\r\n" + elsewhere, "a link to login.example.net, in a message from example.com"},
		{"the domain of the sender", dmarc + own, ""},
		{"a link and an address", dmarc + text("https://example.com/ bert@example.net\r\n"), ""},
		{"no link", dmarc + text("Hi\r\n"), ""},
		{"an address of a machine", dmarc + text("http://192.0.2.1/\r\n"), "a link to 192.0.2.1, in a message from example.com"},
		{"the first of several", dmarc + text("https://example.com/ https://a.example.net/ https://b.example.org/\r\n"), "a link to a.example.net, in a message from example.com"},
		{"another registrable domain below a public suffix", strings.ReplaceAll(dmarc+text("https://other.co.uk/\r\n"), "example.com", "example.co.uk"), "a link to other.co.uk, in a message from example.co.uk"},
		{"DMARC failed", strings.Replace(dmarc, "pass", "fail", 1) + elsewhere, ""},
		{"a signature of another domain", "Authentication-Results: mx.example.org; dkim=pass header.d=example.net\r\n" + elsewhere, ""},
		{"an id that is not trusted", strings.Replace(dmarc, trustedID, "mx.example.net", 1) + elsewhere, ""},
		{"nothing is said", elsewhere, ""},
		{"two From", dmarc + "From: a@example.net\r\n" + elsewhere, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFilter(t, filter.Options{AuthservIDs: []string{trustedID}, Rules: []rule.Rule{{Name: "r", HTML: rule.HTMLAlways, On: tagAll}}})
			result := check(t, t.Name(), f, envelope.Envelope{Sender: "a@example.com"}, []byte(test.message))
			i := slices.IndexFunc(result.Report.Findings, func(f policy.Finding) bool { return f.Code == report.CodeUnalignedLink })
			switch {
			case (i >= 0) != (test.detail != ""):
				t.Errorf("findings %v", result.Report.Findings)
			case i >= 0 && (result.Report.Findings[i].Detail != test.detail || result.Report.Findings[i].Severity != policy.SeverityInfo):
				t.Errorf("finding %v, want %q", result.Report.Findings[i], test.detail)
			}
		})
	}
}
