package policy_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	neturl "net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	loadtest "github.com/linkmilter/linkmilter/internal/test/load"
	"github.com/linkmilter/linkmilter/policy"
)

// TestHonestWrapped: the URL that a service opens is read as a URL, not as a host up to its last
// dot.
func TestHonestWrapped(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, link := range []string{
		"https://urldefense.proofpoint.com/v2/url?u=https-3A__play.google.com_store_apps_details-3Fid-3Dde.firm.android&d=x",
		"https://urldefense.proofpoint.com/v2/url?u=http-3A__www.spotify.com_ls_click-3Fupn-3Du001.abc&d=x",
	} {
		if v := j.Link(parse(t, link)); v.Worst() > policy.SeverityInfo {
			t.Errorf("%s: %+v", link, v.Findings)
		}
	}
}

// TestWrappedLinks: services that check links, translate or redirect contain the URL that they open
// in several forms. In each, its host is judged, and the detail names it.
func TestWrappedLinks(t *testing.T) {
	const evil = "https://paypa1.com/login?x=1"
	encode := base64.URLEncoding.EncodeToString
	j := newJudge(t, policy.Options{})
	for name, link := range map[string]string{
		"SafeLinks":                    "https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fpaypa1.com%2Flogin&data=05",
		"URL Defense 1":                "https://urldefense.proofpoint.com/v1/url?u=https://paypa1.com/login&k=abc",
		"URL Defense 2":                "https://urldefense.proofpoint.com/v2/url?u=https-3A__paypa1.com_login&d=Dw",
		"URL Defense 3":                "https://urldefense.com/v3/__https://paypa1.com/login__;!!abc$",
		"URL Defense 3 host":           "https://urldefense.com/v3/__https://p*ypal.com/login__;0LA!!abc$",
		"Barracuda":                    "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fpaypa1.com%2flogin&c=E,1",
		"Cisco":                        "https://secure-web.cisco.com/1abc/https%3A%2F%2Fpaypa1.com%2Flogin",
		"Sophos":                       "https://eu-west-1.protection.sophos.com/?d=paypa1.com&u=" + encode([]byte(evil)) + "&i=1",
		"FireEye":                      "https://protect2.fireeye.com/v1/url?k=1&u=https%3A%2F%2Fpaypa1.com%2Flogin",
		"Google":                       "https://www.google.com/url?q=https://paypa1.com/login&sa=D",
		"Google AMP":                   "https://www.google.com/amp/s/paypa1.com/login",
		"AMP cache":                    "https://paypa1-com.cdn.ampproject.org/c/s/paypa1.com/login",
		"Google Translate":             "https://paypa1-com.translate.goog/login?_x_tr_sl=en",
		"Bing":                         "https://www.bing.com/ck/a?!&&p=1&u=a1" + encode([]byte(evil)) + "&ntb=1",
		"base64":                       "https://example.net/r/" + base64.StdEncoding.EncodeToString([]byte(evil)),
		"URL Defense 1 with a slash":   "https://urldefense.proofpoint.com/v1/url?u=https%3A//paypa1.com/login&k=abc",
		"URL Defense 3 run":            "https://urldefense.com/v3/__https://p**Apal.com/login__;0LB5!!abc$",
		"URL Defense 3 one slash":      "https://urldefense.us/v3/__https:/paypa1.com/login__;!!abc$",
		"URL Defense 3 run of slashes": "https://urldefense.com/v3/__https:**Apaypa1.com*login__;Ly8v!!abc$",
		"Mimecast":                     "https://protect-eu.mimecast.com/s/abcDEF?domain=paypa1.com",
		"Mimecast Protect":             "https://url.uk.m.mimecastprotect.com/s/abcDEF?domain=paypa1.com",
		"Trend Micro":                  "https://us-east-2.ctp.trendmicro.com/wis/clicktime/v1/query?url=https%3a%2f%2fpaypa1.com%2flogin&umid=1&auth=2",
		"Sophos domain":                "https://eu-west-1.protection.sophos.com/?d=paypa1.com&u=&i=1",
		"FireEye 2":                    "https://protect2.fireeye.com/url?k=1-2&q=1&e=2&u=https%3A%2F%2Fpaypa1.com%2Flogin",
		"Symantec":                     "https://clicktime.symantec.com/3abc?u=https%3A%2F%2Fpaypa1.com%2Flogin",
		"Libraesva":                    "https://urlsand.esvalabs.com/?u=https%3A%2F%2Fpaypa1.com&e=1&h=2&f=y",
		"Trustwave":                    "https://scanmail.trustwave.com/?c=1&d=2&u=https%3a%2f%2fpaypa1%2ecom%2flogin",
		"TitanHQ":                      "https://linklock.titanhq.com/analyse?url=https%3A%2F%2Fpaypa1.com%2Flogin&data=x",
		"SafeLinks in Teams":           "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=https%3A%2F%2Fpaypa1.com",
		"Google in a country":          "https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fpaypa1.com%2Flogin",
		"Google AMP in a country":      "https://www.google.de/amp/s/paypa1.com/login",
		"Google without a scheme":      "https://www.google.com/url?q=paypa1.com/login",
		"Google Translate, old":        "https://translate.google.com/translate?hl=en&sl=de&u=paypa1.com",
		"Bing AMP":                     "https://paypa1-com.bing-amp.com/c/s/paypa1.com/login",
		"small dot":                    "https://www.google.com/url?q=http%3A%2F%2Fpaypa1%E2%80%A4com",
		"small dot, as typed":          "https://www.google.com/url?q=http://paypa1\ufe52com/x",
		"small dot, escaped twice":     "https://example.net/?u=http%3A%2F%2Fpaypa1%25E2%2580%25A4com",
		"Google AMP with a full stop":  "https://www.google.com/amp/s/paypa1\u3002com/login",
		"Google AMP, escaped":          "https://www.google.com/amp/s/paypa1%E3%80%82com/login",
		"Google AMP with a small dot":  "https://www.google.com/amp/paypa1\u2024com",
		"Google AMP, escaped dot":      "https://www.google.com/amp/s/paypa1%2Ecom/login",
		"Bing with a small dot":        "https://www.bing.com/ck/a?!&&p=1&u=a1" + encode([]byte("http://paypa1\u2024com/x")) + "&ntb=1",
		"Bing with a full stop":        "https://www.bing.com/ck/a?!&&p=1&u=a1" + encode([]byte("http://paypa1\u3002com")) + "&ntb=1",
		"behind another URL":           "https://example.net/?ref=https://example.org/&u=https://paypa1.com/login",
		"without a scheme":             "https://example.net/?next=//paypa1.com/login",
		"host as the query":            "https://example.net/go?paypa1.com/login",
		"host in a parameter":          "https://example.net/?redirect_url=paypa1.com%2Flogin",
		"one slash":                    "https://example.net/?u=http:/paypa1.com/login",
		"no slash":                     "https://example.net/?u=https%3Apaypa1.com",
		"hexadecimal":                  "https://example.net/r/" + strings.ToUpper(hex.EncodeToString([]byte(evil))),
		"escaped three times":          "https://example.net/?u=https%25253A%25252F%25252Fpaypa1.com",
		"backslashes":                  "https://example.net/?u=https:%5C%5Cpaypa1.com",
		"base64 of escapes":            "https://example.net/?u=" + encode([]byte("https%3A%2F%2Fpaypa1.com")),
		"base64 of JSON, 1":            "https://example.net/r/" + encode([]byte(`{"u":"https://paypa1.com","x":1}`)),
		"base64 of JSON, 2":            "https://example.net/r/" + encode([]byte(`{"ur":"https://paypa1.com","x":1}`)),
		"base64 of JSON, 3":            "https://example.net/r/" + encode([]byte(`{"url":"https:\/\/paypa1.com","x":1}`)),
		"nested twice":                 "https://example.net/?u=https%3A%2F%2Fexample.org%2F%3Fu%3D" + encode([]byte(evil)),
	} {
		v := j.Link(parse(t, link))
		found := false
		for _, f := range v.Findings {
			named := strings.Contains(f.Detail, " to paypa1.com, which ") || strings.Contains(f.Detail, " to xn--pypal-4ve.com, which ")
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
		"https://www.google.com/amp/s/www\u3002example\u2024com/news",
		"https://www.google.com/url?q=http%3A%2F%2Fexample%E2%80%A4com",
		"https://protect-eu.mimecast.com/s/abc?domain=example.com",
	} {
		if v := j.Link(parse(t, link)); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %+v", link, v.Findings)
		}
	}
}

// TestWrappedBehindManyURLs: the URL that a service opens is judged even if many other URLs are in
// the link.
func TestWrappedBehindManyURLs(t *testing.T) {
	many := func(pattern string) string {
		var b strings.Builder
		for i := range 2 * 24 {
			fmt.Fprintf(&b, pattern, i)
		}
		return b.String()
	}
	j := newJudge(t, policy.Options{})
	for _, link := range []string{
		"https://www.google.com/url?" + many("a%[1]d=http://e%[1]d.example.com&") + "q=http://paypa1.com", "https://www.google.com/url?" + many("u=e%d.com&") + "q=paypa1.com/login",
		"https://www.google.com/url?a=" + many("http://e%d.example.com,") + "&url=https%3A%2F%2Fpaypa1.com", "https://www.google.com/url?" + many("q=http://e%d.example.com&") + "q=http://paypa1.com",
		"https://nam01.safelinks.protection.outlook.com/?" + many("a%[1]d=http://e%[1]d.example.com&") + "url=https%3A%2F%2Fpaypa1.com%2Flogin",
		"https://www.bing.com/ck/a?" + many("a%[1]d=http://e%[1]d.example.com&") + "u=a1" + base64.RawURLEncoding.EncodeToString([]byte("https://paypa1.com/login")),
		"https://urldefense.proofpoint.com/v2/url?" + many("a%[1]d=http://e%[1]d.example.com&") + "u=https-3A__paypa1.com_login",
		"https://www.google.com/url?" + many("a%[1]d=http://e%[1]d.example.com&") + "q=" + neturl.QueryEscape("https://l.facebook.com/l.php?"+many("a=//e%d.info&")+"u=http://paypa1.com"),
	} {
		if v := j.Link(parse(t, link)); v.Worst() < policy.SeverityHigh {
			t.Errorf("%s: %+v", link, v.Findings)
		}
		if v := j.Link(parse(t, strings.NewReplacer("paypa1.com", "paypal.com", base64.RawURLEncoding.EncodeToString([]byte("https://paypa1.com/login")), "").Replace(link))); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %+v", link, v.Findings)
		}
	}
}

// TestFinalFullStopInBase64: if only the beginning of a base64 text is decoded, its last character
// may be cut off. That is no sign of another charset.
func TestFinalFullStopInBase64(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, url := range []string{"http://paypa1.com\u3002", "http://paypa1.com\u3002/x", "http://paypa1.com/\U0001f600", "https://paypa1.com\uff0e"} {
		for _, encoding := range []*base64.Encoding{base64.URLEncoding, base64.RawStdEncoding} {
			if v := j.Link(parse(t, "https://www.bing.com/ck/a?u=a1"+encoding.EncodeToString([]byte(url)))); v.Worst() < policy.SeverityHigh {
				t.Errorf("%s: %+v", url, v.Findings)
			}
		}
	}
}

// TestAddressesInCopies: IP addresses in the path of an AMP cache are found in each spelling.
func TestAddressesInCopies(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for link, want := range map[string]bool{
		"https://www.google.com/amp/s/0x7f000001/x": true, "https://www.google.com/amp/s/2130706433": true, "https://www.google.de/amp/0177.0.0.1/": true,
		"https://x.cdn.ampproject.org/c/s/0xc0000201/": true, "https://www.google.com/amp/s/192。0x0。513": true,
		"https://www.google.com/amp/12": false, "https://www.google.com/amp/s/article": false, "https://www.google.com/c/20261127": false, "https://www.bing.com/amp/s/192.0.2.1/": false,
	} {
		if got := slices.ContainsFunc(j.Link(parse(t, link)).Findings, func(f policy.Finding) bool { return f.Code == policy.CodeObfuscatedIP }); got != want {
			t.Errorf("%s: found %t, want %t", link, got, want)
		}
	}
}

// TestInnerLinks: a link within a link is judged with all findings that mean deception, also by the
// operator's lists.
func TestInnerLinks(t *testing.T) {
	j := newJudge(t, policy.Options{Block: []string{"evil.example.org"}, Protected: []string{"kestrelbank.com"}})
	for url, want := range map[string]policy.Code{
		"https://evil.example.org/":             policy.CodeBlocked,
		"https://kestrelbnak.com/":              policy.CodeLookalike,
		"http://0xc0000201/":                    policy.CodeObfuscatedIP,
		"https://www.example.com@example.org/x": policy.CodeUserinfo,
		"https://bit.ly/abc":                    "",
		"http://192.0.2.1/":                     "",
		"https://kestrelbank.com/":              "",
	} {
		var got policy.Code
		for _, f := range j.Link(parse(t, "https://nam01.safelinks.protection.outlook.com/?url="+neturl.QueryEscape(url))).Findings {
			got = f.Code
		}
		if got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

// TestManyInnerLinks: the time for a link grows linearly with its length, whatever it repeats. In
// quadratic time, a link of 2 MiB would take minutes.
func TestManyInnerLinks(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, piece := range []string{"://a.b", "%3a%2f%2fa.b", "-3a__a.b", "aHR0cHM6Ly9h", "dHRw", "=//", "%252525", "/__https:/", "**A__;", "domain=a.com&", "68747470"} {
		link := func(size int) engine.Link {
			return parse(t, "https://urldefense.com/x?"+strings.Repeat(piece, size/len(piece)))
		}
		half, whole := link(4000), link(8000)
		ofHalf := testing.AllocsPerRun(1, func() { j.Link(half) })
		if ofWhole := testing.AllocsPerRun(1, func() { j.Link(whole) }); ofWhole > 2*ofHalf+10 {
			t.Fatalf("%s: %g allocations for 4000 bytes, %g for 8000", piece, ofHalf, ofWhole)
		}
		long := link(2 << 20)
		start := loadtest.CPU(t) // processor time, since other programs may run beside the test
		j.Link(long)
		if took := loadtest.CPU(t) - start; took > 10*time.Second {
			t.Errorf("%s: %s", piece, took)
		} else {
			t.Logf("%s: %s", piece, took)
		}
	}
}

// TestInnerHostsThatBrowsersEscape: browsers escape the characters beyond ASCII of a URL within
// another, also in its host. Such escapes hide nothing; the characters count as if they were typed.
// Escapes of ASCII are a finding.
func TestInnerHostsThatBrowsersEscape(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, url := range []string{
		"https://b\u00fccher.de/\u00fc", "https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "http://\u4f8b\u3048.jp?x=\u6771", "https://\u0645\u062b\u0627\u0644.\u0645\u0635\u0631:8080/",
	} {
		for _, outer := range []string{"https://example.com/?u=", "https://example.com/login?a=b&next=", "https://example.com/#", "https://example.com/r/"} {
			typed, escaped := parse(t, outer+url), parse(t, parse(t, outer+url).Href())
			if typed.Text == escaped.Text {
				t.Errorf("%s: nothing escaped", typed.Text)
			}
			for _, link := range []engine.Link{typed, escaped} {
				if v := j.Link(link); v.Worst() >= policy.SeverityMedium {
					t.Errorf("%s: %+v", link.Text, v.Findings)
				}
			}
		}
	}
	for url, want := range map[string]policy.Code{
		"https://ex%61mple.org/":                 policy.CodeOverEscaped,
		"https://b%C3%BC%63her.de":               policy.CodeOverEscaped,
		"https://p%D0%B0ypal.com/":               policy.CodeLookalike,
		"https://paypal%C2%B7com.evil.example/x": policy.CodeSyntaxLookalike,
	} {
		if v := j.Link(parse(t, "https://example.com/?u="+url)); !slices.ContainsFunc(v.Findings, func(f policy.Finding) bool { return f.Code == want && f.Severity >= policy.SeverityMedium }) {
			t.Errorf("%s: no %s in %+v", url, want, v.Findings)
		}
	}
}
