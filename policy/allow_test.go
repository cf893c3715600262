package policy_test

import (
	"encoding/base64"
	neturl "net/url"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// wrappings are the forms in which services write the URL that their links open.
var wrappings = map[string]func(url string) string{
	"plain": func(url string) string { return url },
	"SafeLinks": func(url string) string {
		return "https://nam01.safelinks.protection.outlook.com/?url=" + neturl.QueryEscape(url)
	},
	"URL Defense 3": func(url string) string { return "https://urldefense.com/v3/__" + url + "__;!!abc$" },
	"Google":        func(url string) string { return "https://www.google.com/url?q=" + neturl.QueryEscape(url) },
	"base64": func(url string) string {
		return "https://deref-gmx.net/x?u=" + base64.URLEncoding.EncodeToString([]byte(url))
	},
	"Mimecast": func(url string) string {
		_, rest, _ := strings.Cut(url, "://")
		host, _, _ := strings.Cut(rest, "/")
		return "https://protect-eu.mimecast.com/s/abc?domain=" + neturl.QueryEscape(host)
	},
	"twice": func(url string) string {
		inner := "https://secure-web.cisco.com/1abc/" + neturl.QueryEscape(url)
		return "https://nam01.safelinks.protection.outlook.com/?url=" + neturl.QueryEscape(inner)
	},
}

// TestAllow: a host that the operator allows has no finding, in any form, alone or within the link
// of a wrapper. A host that the operator blocks has one, unless it is allowed, too.
func TestAllow(t *testing.T) {
	j := newJudge(t, policy.Options{
		Allow:     []string{"paypa1.com", ".g00gle.com", "pаypal.com", "раураӏ.com", "kestrelbnak.com", "both.example.net", "old.paypa1.net 2020-01-31"},
		Block:     []string{"blocked.example.net", "both.example.net", "bücher.example.net"},
		Protected: []string{"kestrelbank.com"},
	})
	for host, want := range map[string]policy.Code{
		"paypa1.com":                     "",
		"PAYPA1.com":                     "",
		"www.paypa1.com":                 policy.CodeLookalike,
		"login.g00gle.com":               "",
		"g00gle.com":                     policy.CodeLookalike,
		"pаypal.com":                     "",
		"xn--pypal-4ve.com":              "",
		"раураӏ.com":                     "",
		"kestrelbnak.com":                "",
		"kestrelbnak.net":                policy.CodeLookalike,
		"both.example.net":               "",
		"old.paypa1.net":                 policy.CodeLookalike,
		"blocked.example.net":            policy.CodeBlocked,
		"bücher.example.net":             policy.CodeBlocked,
		"xn--bcher-kva.example.net":      policy.CodeBlocked,
		"www.example.com":                "",
		"paypa1.com.blocked.example.net": policy.CodeLookalike,
	} {
		for name, wrap := range wrappings {
			link := wrap("https://" + host + "/x")
			var got []policy.Code
			for _, f := range j.Link(parse(t, link)).Findings {
				if f.Severity >= policy.SeverityMedium {
					got = append(got, f.Code)
				}
			}
			if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[len(got)-1] != want) {
				t.Errorf("%s: %s: %q, want %q", name, link, got, want)
			}
		}
	}
}

// TestAllowedText: if the operator allows the host of a link, its text may name another domain,
// also if a wrapper leads on to that host. It may not if the wrapper opens another host first.
func TestAllowedText(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{Allow: []string{".mailer.example"}})
	const safe = "https://nam01.safelinks.protection.outlook.com/?url="
	for target, want := range map[string]policy.Severity{
		"https://click.mailer.example/x":                                        policy.SeverityNone,
		safe + "https%3A%2F%2Fclick.mailer.example%2Fx":                         policy.SeverityNone,
		safe + "https%3A%2F%2Fclick.mailer.invalid%2Fx":                         policy.SeverityMedium,
		safe + "https%3A%2F%2Fevil.example%2F&x=https%3A%2F%2Fa.mailer.example": policy.SeverityMedium,
		"https://example.net/?url=https%3A%2F%2Fclick.mailer.example%2Fx":       policy.SeverityMedium,
		"x@click.mailer.example":                                                policy.SeverityNone,
		"x@mailer.example":                                                      policy.SeverityMedium,
	} {
		text := "https://www.shop.com/"
		if strings.Contains(target, "@") {
			text = "info@shop.com"
		}
		got := policy.Verdict{Findings: textTarget(t, scanner, j, text, target)}.Worst()
		if got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	named := scanner.Append(nil, "info@shop.com")
	for address, want := range map[string]int{"x@click.mailer.example": 0, "x@mailer.example": 1} {
		if findings := j.DisplayName("info@shop.com", named, parse(t, address)); len(findings) != want {
			t.Errorf("%s: %+v", address, findings)
		}
	}
}
