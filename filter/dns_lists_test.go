package filter_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// listsInDNS are block lists that have some domains.
type listsInDNS struct {
	has   []string
	asked []string
}

func (l *listsInDNS) Asks() bool { return true }

func (l *listsInDNS) Ask(_ context.Context, hosts []string) map[string][]policy.Listed {
	l.asked = append(l.asked, hosts...)
	found := make(map[string][]policy.Listed)
	for _, domain := range l.has {
		if slices.ContainsFunc(hosts, func(host string) bool { return strings.HasSuffix("."+host, "."+domain) }) {
			found[domain] = []policy.Listed{{List: "dbl", Label: domain, Severity: policy.SeverityHigh, Answer: "127.0.1.4"}}
		}
	}
	return found
}

// TestListedInDNS: a link to a listed domain is flagged as one on a list, also where it is wrapped, and
// loses its target. Only the hosts of links in mail of strangers are asked about.
func TestListedInDNS(t *testing.T) {
	const page = "<p><a href=\"https://a.evil.de/x\">one</a> <a href=\"https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fb.evil.de%2Fy\">two</a> " +
		"<a href=\"https://good.de/\">three</a> <a href=\"https://www.paypal.com/\">brand</a> <a href=\"https://www.nordlichtwerke.de/\">own</a> <a href=\"https://allowed.de/\">allowed</a> <a href=\"mailto:anna@private.de\">mail</a></p>\r\n"
	lists := &listsInDNS{has: []string{"evil.de", "allowed.de"}}
	f := newFilter(t, filter.Options{
		DNSLists: lists, Policy: policy.Options{Protected: []string{"nordlichtwerke.de"}, Allow: []string{"allowed.de"}},
		Rules: []rule.Rule{
			{Name: "local", When: rule.When{Client: loopbackNet}, Trusted: true},
			{Name: "all", Edit: rule.EditFlagged, On: rule.On{Medium: rule.ActionTag}, IfNotEditable: rule.ActionReject},
		},
	})
	raw := []byte(strings.Replace(string(claimed(page)), "PayPal", "Anna", 1))
	result := f.Message(t.Context(), byStranger(), raw)
	want := []string{"a.evil.de", "b.evil.de", "good.de"}
	if !slices.Equal(lists.asked, want) {
		t.Errorf("asked about %q, want %q", lists.asked, want)
	}
	edited := string(result.Message(raw))
	if !result.Report.Edited || strings.Contains(edited, "evil.de/x\"") || strings.Contains(edited, "evil.de%2Fy\"") || !strings.Contains(edited, "href=\"https://good.de/\"") {
		t.Errorf("%s\n%s", result.Report.NotDone, edited)
	}
	if !report.Has(result.Report.Findings, result.Report.Links, policy.CodeListed) || !strings.Contains(edited, "is on the block list dbl in") {
		t.Errorf("%s", edited)
	}
	if again := f.Message(t.Context(), byStranger(), result.Message(raw)); again.Report.Edited {
		t.Error("edited again")
	}
	lists.asked = nil
	local := byStranger()
	local.Client = loopbackNet[0].Addr()
	f.Message(t.Context(), local, raw)
	loggedIn := byStranger()
	loggedIn.Authenticated = true
	f.Message(t.Context(), loggedIn, raw)
	if len(lists.asked) > 0 {
		t.Errorf("asked about mail of one's own users: %q", lists.asked)
	}
}
