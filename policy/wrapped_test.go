package policy_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestWrappedLinks: the host of a URL that a service opens is judged in each form of
// services that check links, translate and redirect, and named.
func TestWrappedLinks(t *testing.T) {
	const evil = "https://paypa1.com/login?x=1"
	encode := base64.URLEncoding.EncodeToString
	j := newJudge(t, policy.Options{})
	for name, link := range map[string]string{
		"SafeLinks":          "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fpaypa1.com%2Flogin&data=05",
		"URL Defense 1":      "https://urldefense.proofpoint.com/v1/url?u=https://paypa1.com/login&k=abc",
		"URL Defense 2":      "https://urldefense.proofpoint.com/v2/url?u=https-3A__paypa1.com_login&d=Dw",
		"URL Defense 3":      "https://urldefense.com/v3/__https://paypa1.com/login__;!!abc$",
		"URL Defense 3 host": "https://urldefense.com/v3/__https://p*ypal.com/login__;0LA!!abc$",
		"Barracuda":          "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fpaypa1.com%2flogin&c=E,1",
		"Cisco":              "https://secure-web.cisco.com/1abc/https%3A%2F%2Fpaypa1.com%2Flogin",
		"Sophos":             "https://eu-west-1.protection.sophos.com/?d=paypa1.com&u=" + encode([]byte(evil)) + "&i=1",
		"FireEye":            "https://protect2.fireeye.com/v1/url?k=1&u=https%3A%2F%2Fpaypa1.com%2Flogin",
		"Google":             "https://www.google.com/url?q=https://paypa1.com/login&sa=D",
		"Google AMP":         "https://www.google.com/amp/s/paypa1.com/login",
		"AMP cache":          "https://paypa1-com.cdn.ampproject.org/c/s/paypa1.com/login",
		"Google Translate":   "https://paypa1-com.translate.goog/login?_x_tr_sl=en",
		"Bing":               "https://www.bing.com/ck/a?!&&p=1&u=a1" + encode([]byte(evil)) + "&ntb=1",
		"base64":             "https://example.net/r/" + base64.StdEncoding.EncodeToString([]byte(evil)),
		"nested twice":       "https://example.net/?u=https%3A%2F%2Fexample.org%2F%3Fu%3D" + encode([]byte(evil)),
	} {
		v := j.Link(parse(t, link))
		found := false
		for _, f := range v.Findings {
			named := strings.Contains(f.Detail, ", of paypa1.com: ") || strings.Contains(f.Detail, ", of xn--pypal-4ve.com: ")
			found = found || f.Code == policy.CodeLookalike && f.Severity >= policy.SeverityMedium && named
		}
		if !found {
			t.Errorf("%s: %s: %+v", name, link, v.Findings)
		}
	}
	for _, link := range []string{
		"https://www.google.com/amp/s/www.example.com/news",
		"https://www-example-com.translate.goog/",
		"https://my--bank-example-com.translate.goog/",
		"https://example.net/aHR0cDovL",
		"https://example.net/aHR0cHM6Ly" + strings.Repeat("_", 9),
		"https://urldefense.com/v3/__https://example.com/a*b__;?",
		"https://urldefense.com/v3/__https://example.com/a**b*c__;w7zDvMO8!!abc$",
		"https://www.google.com/amp/s/",
		"https://protect-eu.mimecast.com/s/abc?domain=example.com",
	} {
		if v := j.Link(parse(t, link)); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %+v", link, v.Findings)
		}
	}
}
