package filter_test

import (
	"slices"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// TestNumbersOfPrograms: a number behind a program's own scheme is no host, unless the program passes
// the URL on to a browser.
func TestNumbersOfPrograms(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, url := range []string{
		"x-apple-data-detectors://0", "x-apple-data-detectors://1/2", "x-apple-data-detectors://embedded-result/123", "tel://110", "tel://030123456", "sms://12345?body=x",
		"facetime://123456", "sip://1234", "calshow://123", "message://1",
	} {
		if r := f.Scan(htmlMessage(`<a href="` + url + `">tomorrow</a>`)); worstLink(r) >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s: %v", url, r, placed(r))
		}
	}
	for _, url := range []string{
		"x-safari-https://3405803785/", "googlechrome://3405803785", "intent://3405803785/#Intent;scheme=https;end", "microsoft-edge:https://3405803785/", "feed://0xcb007109/",
		"foo://paypa1.com", "foo://0.paypa1.com", "foo://0@paypa1.com/", "foo://paypa1\u3002com/",
	} {
		flagged(t, f, `<a href="`+url+`">x</a>`)
	}
	phone := f.Scan(htmlMessage(`<a href="tel://110">110</a>`))
	if slices.ContainsFunc(phone.Links, func(l report.Found) bool { return l.Link.ASCIIHost() != "" }) {
		t.Errorf("a number has a host: %v", placed(phone))
	}
}
