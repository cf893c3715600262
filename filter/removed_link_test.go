package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
)

// TestReasonNamesWhatALinkLooksLike: the reason never names the host of the link, also if the
// finding is about a host that the link leads on to.
func TestReasonNamesWhatALinkLooksLike(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{{
		Name: "all", Edit: rule.EditFlagged, IfNotEditable: rule.ActionTag, Protected: []string{"example-bank.com", "bank.corp.internal"},
	}}})
	const other = "misleading address"
	for host, want := range map[string]string{
		"paypa1.com":                       "looks like paypal.com",
		"p\u0430ypal.com":                  "looks like paypal.com",
		"www.paypal-login.com":             "looks like paypal.com",
		"examp1e-bank.com":                 "looks like example-bank.com",
		"example-bank.net":                 "looks like example-bank.com",
		"examplebank.com":                  "looks like example-bank.com",
		"example-bank.com.evil.example":    "looks like example-bank.com",
		"examp1e-bank.com.evil.example":    "looks like example-bank.com",
		"wwwexample-bank.com":              "looks like www.example-bank.com",
		"b\u0430nk.corp.internal":          other,
		"b\u0430nk.corp.internal.evil.com": other,
	} {
		for _, link := range []string{
			"http://" + host + "/", "https://example.org/?u=http://" + host + "/", "https://example.org/http://" + host, "https://example.org/?u=http%3A%2F%2F" + host,
			"https://example.org/?u=https://example.net/?v=http://" + host,
		} {
			got, result := htmlOf(t, f, `<a href="`+link+`">x</a>`)
			if strings.TrimSpace(got) != "<a>x [link removed: "+want+"]</a>" {
				t.Errorf("%s: %s, want %s: %v", link, got, want, result.Report.Links)
			}
		}
	}
}
