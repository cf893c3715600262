package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// newScanner returns a Scanner that finds suspects, too.
func newScanner(tb testing.TB) *engine.Scanner {
	tb.Helper()
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		tb.Fatal(err)
	}
	return scanner
}

// textTarget judges a text shown for a target.
func textTarget(tb testing.TB, scanner *engine.Scanner, j *policy.Judge, text, target string) []policy.Finding {
	tb.Helper()
	link := parse(tb, target)
	return j.TextTarget(text, scanner.Append(nil, text), link)
}

func TestTextTarget(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{Protected: []string{"bank.example"}})
	for _, test := range []struct {
		name, text, target string
		want               policy.Severity
	}{
		{"URL of a protected domain", "https://paypal.com/login", "https://evil.example/", policy.SeverityHigh},
		{"www of one", "www.paypal.com", "https://evil.example/", policy.SeverityHigh},
		{"path of one", "paypal.com/login", "https://evil.example/", policy.SeverityHigh},
		{"in a sentence", "Log in at https://www.paypal.com/ now", "https://evil.example/", policy.SeverityHigh},
		{"a protected domain", "https://my.bank.example/", "https://evil.example/", policy.SeverityHigh},
		{"below another", "https://paypal.com/", "https://paypal.com.evil.example/", policy.SeverityHigh},
		{"in the path of another", "https://paypal.com/", "https://evil.example/paypal.com/", policy.SeverityHigh},
		{"lookalike as the target", "https://paypal.com/", "https://paypa1.com/", policy.SeverityHigh},
		{"by its address", "https://paypal.com/", "http://198.51.100.7/", policy.SeverityHigh},
		{"the worst counts", "www.shop.example or www.paypal.com", "https://evil.example/", policy.SeverityHigh},
		{"name of one", "PayPal.com", "https://evil.example/", policy.SeverityMedium},
		{"name of one in a sentence", "Your paypal.com account", "https://evil.example/", policy.SeverityMedium},
		{"other URL", "https://www.shop.com/sale", "https://click.mailer.com/?id=1", policy.SeverityMedium},
		{"other address in digits", "http://192.0.2.1/", "http://198.51.100.7/", policy.SeverityMedium},
		{"in Unicode", "https://b\u00fccher.com/", "https://xn--bcher-kva.net/", policy.SeverityMedium},
		{"tenants of one suffix", "https://anna.github.io/", "https://bert.github.io/", policy.SeverityMedium},
		{"lone name", "\u00bbBooking.org\u00ab", "https://click.mailer.com/?id=1", policy.SeverityLow},
		{"address", "info@shop.com", "mailto:info@evil.example", policy.SeverityMedium},
		{"address beside a picture", "\u2709\ufe0f info@shop.com", "mailto:info@evil.example", policy.SeverityMedium},
		{"address at a protected domain", "service@paypal.com", "x@evil.example", policy.SeverityHigh},
		{"address by way of a list", "anna@firm.com via List", "list@lists.example", policy.SeverityLow},
		{"wrapped", "https://www.paypal.com/a", "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.paypal.com%2Fa&data=1", policy.SeverityInfo},
		{"wrapped twice over", "https://www.paypal.com/a", "https://urldefense.proofpoint.com/v2/url?u=https-3A__www.paypal.com_a&d=x", policy.SeverityInfo},
		{"another wrapped", "https://www.paypal.com/a", "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fnotpaypal.com%2F", policy.SeverityHigh},
		{"longer name wrapped", "https://www.paypal.com/a", "https://urldefense.com/v3/__https://paypal.com.evil.example/__", policy.SeverityHigh},

		{"wrapped with the name in the path of another", "https://www.paypal.com/a", "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example%2Fpaypal.com", policy.SeverityHigh},
		{"wrapped with the name in the query of another", "https://www.paypal.com/a", "https://urldefense.com/v3/__https://evil.example/?u=https://paypal.com__", policy.SeverityHigh},
		{"wrapped with the domain alone", "https://www.paypal.com/a", "https://protect-eu.mimecast.com/s/abc?domain=paypal.com", policy.SeverityInfo},
		{"passed on by a search engine", "https://www.shop.com/", "https://www.google.com/url?q=https://www.shop.com/&sa=D", policy.SeverityInfo},
		{"passed on to another", "https://www.paypal.com/", "https://www.google.com/url?q=https://evil.example/&x=https://www.paypal.com/", policy.SeverityHigh},
		{"another page of it", "https://www.shop.com/", "https://sites.google.com/view/x?q=https://www.shop.com/", policy.SeverityMedium},
		{"counted", "www.shop.com", "https://shop.us1.list-manage.com/track/click?u=1", policy.SeverityLow},
		{"protected and counted", "https://www.paypal.com/", "https://u1.ct.sendgrid.net/ls/click?upn=1", policy.SeverityHigh},

		{"counted page that any user has", "facebook.com/shop", "https://u1.ct.sendgrid.net/ls/click?upn=1", policy.SeverityLow},
		{"page that any user has", "https://www.instagram.com/shop", "https://evil.example/", policy.SeverityMedium},
		{"login beside such pages", "https://www.facebook.com/login/identify", "https://evil.example/", policy.SeverityHigh},
		{"such a site itself", "https://www.facebook.com/", "https://evil.example/", policy.SeverityHigh},
		{"same name below another suffix", "https://www.shop.com/", "https://www.shop.de/", policy.SeverityMedium},
		{"same protected name below another suffix", "https://www.paypal.com/", "https://www.paypal.co/", policy.SeverityMedium},
		{"protected name below the suffix of a country", "https://www.hsbc.com/", "https://www.hsbc.com.uy/", policy.SeverityLow},
		{"name of a country below the protected suffix", "www.ikea.ch/kontakt", "https://click.order.email.ikea.com/?qs=1", policy.SeverityLow},
		{"protected name with links of users", "https://www.paypal.com/invoice", "https://paypal.me/anybody", policy.SeverityMedium},
		{"protected name with tenants", "https://www.sharepoint.de/", "https://anybody.sharepoint.com/", policy.SeverityMedium},
		{"address at the same name below another suffix", "service@hsbc.com", "mailto:service@hsbc.com.uy", policy.SeverityMedium},
		{"site of a government", "www.gov.uk/mot", "https://www.gov.uk/c/1", policy.SeverityNone},
		{"public suffix for its www", "gov.uk/mot", "https://www.gov.uk/c/1", policy.SeverityNone},
		{"public suffix for another below it", "gov.uk/mot", "https://www.mot.gov.uk/", policy.SeverityMedium},
		{"owner's domain for senders alone", "https://www.google.com/", "https://www.youtube.com/redirect", policy.SeverityHigh},
		{"mailbox in a text for another", "Mail to anna@gmail.com now", "mailto:anna@firm.com", policy.SeverityMedium},
		{"counted by a bank", "https://support.firm.com", "https://59.email.stripe.com/CL0/https:%2F%2Fsupport.firm.com%2F/1/x", policy.SeverityLow},
		{"homograph of a protected domain", "https://www.p\u0430ypal.com/", "https://evil.example/", policy.SeverityHigh},
		{"owner's domain for short links", "https://www.youtube.com/watch?v=1", "https://youtu.be/1", policy.SeverityNone},
		{"owner's domain for mail", "www.paypal.com", "https://epl.paypal-communication.com/T/v400", policy.SeverityNone},
		{"domain of a brand in another country", "https://www.hsbc.com/", "https://www.hsbc.co.uk/", policy.SeverityNone},
		{"domain of a brand with another name", "https://www.t-online.de/", "https://www.telekom.de/", policy.SeverityNone},
		{"brand where the public has pages", "https://www.microsoft.com/", "https://anybody.sharepoint.com/", policy.SeverityHigh},
		{"owner's page of mailboxes", "gmail.com", "https://mail.google.com/", policy.SeverityNone},
		{"a user's mailbox at the owner's", "security@google.com", "anybody@gmail.com", policy.SeverityHigh},
		{"a user's short links", "https://twitter.com/login", "https://t.co/1", policy.SeverityHigh},
		{"another owner's short links", "https://www.paypal.com/", "https://t.co/1", policy.SeverityHigh},

		{"same", "https://example.com/a", "https://example.com/a", policy.SeverityNone},
		{"other scheme and case", "HTTP://EXAMPLE.COM", "https://example.com/", policy.SeverityNone},
		{"www", "www.paypal.com", "https://paypal.com/", policy.SeverityNone},
		{"subdomain", "https://paypal.com/", "https://click.mail.paypal.com/?id=1", policy.SeverityNone},
		{"suffix of two labels", "https://www.shop.co.uk/", "https://shop.co.uk/", policy.SeverityNone},
		{"Unicode and A-label", "https://b\u00fccher.com/", "https://www.xn--bcher-kva.com/", policy.SeverityNone},
		{"final dot", "https://example.com./", "https://example.com/", policy.SeverityNone},
		{"same address in digits", "http://192.0.2.1/a", "http://192.0.2.1/b", policy.SeverityNone},
		{"no host", "Click here", "https://evil.example/", policy.SeverityNone},
		{"no text", "", "https://evil.example/", policy.SeverityNone},
		{"version", "Release 2.10.1, see chapter 3.4", "https://evil.example/", policy.SeverityNone},
		{"file", "README.md", "https://github.com/x/y/blob/main/README.md", policy.SeverityNone},
		{"file in brackets", "(main.rs)", "https://github.com/x/y/blob/main/main.rs", policy.SeverityNone},
		{"name in a sentence", "Buy it at Booking.org today", "https://click.mailer.com/?id=1", policy.SeverityNone},
		{"sentences without a space", "Read more.Click here", "https://example.com/", policy.SeverityNone},
		{"same address", "anna@example.com", "mailto:Anna@Example.com?subject=Hello", policy.SeverityNone},
		{"address below the same domain", "anna@example.com", "mailto:anna@mail.example.com", policy.SeverityNone},
		{"address for a page", "anna@firm.com", "https://click.mailer.com/preferences", policy.SeverityLow},
		{"address at a protected domain for a page", "service@paypal.com", "https://evil.example/", policy.SeverityMedium},
		{"such an address in brackets", "<service@paypal.com>", "https://evil.example/", policy.SeverityMedium},
		{"such an address, counted", "service@paypal.com", "https://u1.ct.sendgrid.net/ls/click?upn=1", policy.SeverityLow},
		{"such an address, wrapped", "service@paypal.com", "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.paypal.com%2Fa&data=1", policy.SeverityInfo},
		{"address at its own page", "service@paypal.com", "https://www.paypal.com/contact", policy.SeverityNone},
		{"a user's mailbox for a page", "anna@gmail.com", "https://click.mailer.com/preferences", policy.SeverityLow},
		{"address within a text for a page", "Mail to anna@firm.com", "https://click.mailer.com/preferences", policy.SeverityNone},
		{"protected address within a text for a page", "Mail to service@paypal.com now", "https://click.mailer.com/preferences", policy.SeverityNone},
		{"repository with the name of a site", "[acme/www.paypal.com] Fix it (#12)", "https://github.com/acme/www.paypal.com/pull/12", policy.SeverityNone},
		{"module of Go", "golang.org/x/net", "https://github.com/golang/net", policy.SeverityNone},
		{"module of Go on its page", "github.com/foo/bar", "https://pkg.go.dev/github.com/foo/bar/baz", policy.SeverityNone},
		{"module of Go on its page of versions", "github.com/foo/bar", "https://pkg.go.dev/mod/github.com/foo/bar", policy.SeverityNone},
		{"module that begins like the page of versions", "modernc.org/libc", "https://pkg.go.dev/modernc.org/libc", policy.SeverityNone},
		{"archived page", "https://www.firm.com/a", "https://web.archive.org/web/20130120074804/http://firm.com/a", policy.SeverityNone},
		{"archived page without a scheme", "https://www.firm.com/a", "https://web.archive.org/web/2013/www.firm.com/a", policy.SeverityNone},
		{"archived page of another", "https://www.firm.com/a", "https://web.archive.org/web/2013/https://other.com/a", policy.SeverityMedium},
		{"archived page with a user name", "https://www.firm.com/a", "https://web.archive.org/web/2013/https://www.firm.com@other.com/a", policy.SeverityMedium},
		{"archived page that names another", "https://www.firm.com/a", "https://web.archive.org/web/2013/other.com/https://www.firm.com/a", policy.SeverityMedium},
		{"archived page left out", "https://www.firm.com/a", "https://web.archive.org/web/2013/https://www.firm.com/../../../other.com/", policy.SeverityMedium},
		{"archived page left out by escapes", "https://www.firm.com/a", "https://web.archive.org/web/2013/https://www.firm.com/%2E%2e/%2e./../other.com/", policy.SeverityMedium},
		{"archived page left out by backslashes", "https://www.firm.com/a", `https://web.archive.org/web/2013/https://www.firm.com\..\..\..\other.com/`, policy.SeverityMedium},
		{"no time in the archive", "https://www.firm.com/a", "https://web.archive.org/web/x/https://www.firm.com/a", policy.SeverityMedium},
		{"archive of another", "https://www.firm.com/a", "https://web-archive.example.net/web/2013/https://www.firm.com/a", policy.SeverityMedium},
		{"address in a word", "mailto:anna@firmcom", "mailto:anna@firm.com", policy.SeverityNone},
		{"another module on a page", "github.com/foo/bar", "https://pkg.go.dev/github.com/x/bar", policy.SeverityMedium},
		{"module of gopkg.in", "gopkg.in/yaml.v3", "https://github.com/go-yaml/yaml/releases", policy.SeverityNone},
		{"module of gopkg.in with an owner", "gopkg.in/src-d/go-git.v4", "https://github.com/src-d/go-git", policy.SeverityNone},
		{"module of gopkg.in of another owner", "gopkg.in/yaml.v3", "https://github.com/yaml/yaml", policy.SeverityMedium},
		{"module of another owner", "golang.org/dl", "https://github.com/go1ang/go", policy.SeverityMedium},
		{"module elsewhere", "golang.org/x/net", "https://example.net/golang/net", policy.SeverityMedium},
		{"page as a module", "paypal.com/login", "https://github.com/x/login", policy.SeverityHigh},
		{"repository of another owner", "[acme/www.paypal.com] Fix it (#12)", "https://github.com/x/www.paypal.com/pull/12", policy.SeverityHigh},
		{"URL with the name of a repository", "acme/https://www.paypal.com/", "https://github.com/acme/www.paypal.com/pull/12", policy.SeverityHigh},
		{"repository elsewhere", "acme/www.paypal.com", "https://evil.example/acme/www.paypal.com", policy.SeverityHigh},
		{"server that anybody may rent", "https://www.microsoft.com/login", "https://login.westeurope.cloudapp.azure.com/", policy.SeverityHigh},
		{"file that anybody may upload", "https://discord.com/nitro", "https://cdn.discordapp.com/attachments/1/2/nitro", policy.SeverityHigh},
		{"known name with its own page", "GitHub.com", "https://github.com/", policy.SeverityNone},
	} {
		t.Run(test.name, func(t *testing.T) {
			findings := textTarget(t, scanner, j, test.text, test.target)
			got := policy.Verdict{Findings: findings}.Worst()
			if got != test.want || len(findings) > 1 {
				t.Errorf("%q for %s: %s, want %s: %+v", test.text, test.target, got, test.want, findings)
			}
		})
	}
}

// TestNested: the judge also judges the host of a URL within a link, and counts only findings of
// medium and above.
func TestNested(t *testing.T) {
	const worst = policy.SeverityHigh
	check(t, []judged{
		{"in a query", "https://www.google.com/url?q=https://paypa1.com/login&sa=D", policy.CodeLookalike, worst},
		{"escaped", "https://www.example.com/login?next=https%3A%2F%2Fpaypa1.com%2F", policy.CodeLookalike, worst},
		{"escaped twice", "https://www.example.com/?a=b&u=https%253A%252F%252Fpaypa1.com", policy.CodeLookalike, worst},
		{"Safe Links", "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fpaypa1.com%2Fa&data=1", policy.CodeLookalike, worst},
		{"URL Defense 2", "https://urldefense.proofpoint.com/v2/url?u=https-3A__paypa1.com_a&d=x", policy.CodeLookalike, worst},
		{"URL Defense 3", "https://urldefense.com/v3/__https://paypa1.com/a__;!!x", policy.CodeLookalike, worst},
		{"in a path", "https://web.archive.example/web/2026/http://p\u0430ypal.com/", policy.CodeMixedScript, worst},
		{"in a fragment", "https://www.example.com/#https://xn--pypal-4ve.com/", policy.CodeMixedScript, worst},
		{"honest", "https://www.google.com/url?q=https://www.paypal.com/login", policy.CodeLookalike, policy.SeverityNone},
		{"below medium", "https://www.example.com/?u=http://192.0.2.1/", policy.CodeIPHost, policy.SeverityNone},
		{"passed on twice", "https://www.example.com/?u=https%3A%2F%2Fexample.org%2F%3Fu%3Dhttps%253A%252F%252Fpaypa1.com", policy.CodeLookalike, worst},
		{"no URL", "https://www.example.com/?a=://&b=%3A%2F%2F", policy.CodeLookalike, policy.SeverityNone},
	})
}

// TestBesideSigns: other programs begin or end a host beside a sign that UTS #46 maps to
// letters, or take it for a hyphen or dot.
func TestBesideSigns(t *testing.T) {
	for _, sign := range []string{"№", "℡", "ⓐ", "🄰", "㎏", "Ⅳ", "₨", "²", "a№", "x\u2011", "😀№", "№.", "№-"} {
		for _, before := range []string{"http://", "http://www."} {
			check(t, []judged{
				{sign, before + sign + "paypa1.com/", policy.CodeLookalike, policy.SeverityHigh},
				{sign, before + sign + "example.com/", policy.CodeLookalike, policy.SeverityNone},
			})
		}
	}
	check(t, []judged{
		{"end", "http://paypa1.com\u2011.example.org/", policy.CodeLookalike, policy.SeverityHigh},
		{"in between", "http://example.org\u2011paypa1.com\u2011", policy.CodeLookalike, policy.SeverityHigh},
		{"one label", "http://paypa1№.example.org/", policy.CodeLookalike, policy.SeverityNone},
		{"honest", "http://№paypal.com/", policy.CodeLookalike, policy.SeverityNone},
	})
	for _, f := range newJudge(t, policy.Options{}).Link(parse(t, "http://№paypa1.com/")).Findings {
		if want := "other programs open paypa1.com, which looks like paypal.com but is another site"; f.Detail != want {
			t.Errorf("%s, want %s", f.Detail, want)
		}
	}
}

// TestBehindBreaks: other programs end a link before some characters of its path, query or
// fragment, and begin another behind them.
func TestBehindBreaks(t *testing.T) {
	signs := strings.Split("\" ( < [ { ` « » ‹ › “ ” ‘ ’ „ ¡ ¿ § · – — • … 「 （ ・ ／ ＠ ｜ ＂ \ufeff \u200b (/ \": <(", " ")
	for _, sign := range signs {
		for _, before := range []string{"https://example.com/a", "https://example.com/?q=1", "example.com/#top", "https://example.com/a.html?b=(c)"} {
			for _, name := range []string{"paypa1.com", "www.paypa1.com/x", "x.y@paypa1.com", "http://paypa1.com" + sign} {
				check(t, []judged{{sign, before + sign + name, policy.CodeLookalike, policy.SeverityHigh}})
			}
			check(t, []judged{
				{"honest", before + sign + "www.paypal.com/x", policy.CodeLookalike, policy.SeverityNone},
				{"no top-level domain", before + sign + "paypa1.html", policy.CodeLookalike, policy.SeverityNone},
			})
		}
	}
	check(t, []judged{
		{"segment", "https://example.com/domain/paypa1.com", policy.CodeLookalike, policy.SeverityNone},
		{"parameter", "https://example.com/?domain=paypa1.com,a.com;b.com", policy.CodeLookalike, policy.SeverityNone},
		{"word between", "https://example.com/(a,https:paypa1.com/x", policy.CodeLookalike, policy.SeverityHigh},
		{"no slashes", "https://example.com/?q=https:paypa1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"empty port", "https://example.com:#paypa1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"apostrophe", "example.com#it'&paypa1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"apostrophe in a word", "example.com#d'eau&paypa1.com", policy.CodeLookalike, policy.SeverityNone},
		{"final dot", "https://example.com./paypa1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"local-part", "paypa1.com|joe@example.com", policy.CodeLookalike, policy.SeverityHigh},
		{"local-part beyond ASCII", "paypa1.みんな@example.com", policy.CodeLookalike, policy.SeverityHigh},
		{"honest local-part", "paypal.com|joe.smith@example.com", policy.CodeLookalike, policy.SeverityNone},
		{"name", "paypa1.com@example.com", policy.CodeLookalike, policy.SeverityNone},
	})
}

// TestTextTargetFinding: the finding names both domains as A-labels, and the host as shown. Options
// can set its severity.
func TestTextTargetFinding(t *testing.T) {
	const text, target = "https://www.b\u00fccher.com/", "https://click.mailer.com/"
	got := textTarget(t, newScanner(t), newJudge(t, policy.Options{}), text, target)
	want := policy.Finding{
		Code: policy.CodeTextTargetMismatch, Severity: policy.SeverityMedium,
		Label: "www.b\u00fccher.com", Detail: "the text names xn--bcher-kva.com, but the link opens mailer.com",
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	off := map[policy.Code]policy.Severity{policy.CodeTextTargetMismatch: policy.SeverityNone}
	if got := textTarget(t, newScanner(t), newJudge(t, policy.Options{Severities: off}), text, target); len(got) != 0 {
		t.Errorf("turned off: %+v", got)
	}
}

// TestTextTargetBrands: a text that names a brand, in any form, has a finding of medium or above if
// the link opens another domain, and none if it opens that of the brand.
func TestTextTargetBrands(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{})
	cyrillic := strings.NewReplacer("a", "\u0430", "e", "\u0435", "o", "\u043e")
	for _, brand := range brands {
		for _, text := range []string{
			"https://" + brand, "https://www." + brand + "/login", "HTTP://" + strings.ToUpper(brand), "www." + brand, brand,
			brand + "/login", "Sign in to " + brand + "!", "\u2192 " + brand, "https://login." + brand + "/?a=b", "https://" + cyrillic.Replace(brand) + "/",
		} {
			if got := (policy.Verdict{Findings: textTarget(t, scanner, j, text, "https://login.example.net/"+brand)}).Worst(); got < policy.SeverityMedium {
				t.Errorf("%q: %s", text, got)
			}
			if strings.Contains(text, brand) {
				if got := textTarget(t, scanner, j, text, "https://click.mail."+brand+"/"); len(got) > 0 {
					t.Errorf("%q for its own host: %+v", text, got)
				}
			}
		}
		if got := (policy.Verdict{Findings: textTarget(t, scanner, j, "service@"+brand, "service@mail.example.net")}).Worst(); got < policy.SeverityHigh {
			t.Errorf("service@%s: %s", brand, got)
		}
	}
}

// TestVisibleText: VisibleText removes characters that nobody sees, except joiners that languages
// need.
func TestVisibleText(t *testing.T) {
	for text, want := range map[string]string{
		"https://paypal.com/":                          "https://paypal.com/",
		"https://pay\u200b\u200cpal.com\u200e/\ufeff":  "https://paypal.com/",
		"pay\u00adpal\u2060.com \u00e4":                "paypal.com \u00e4",
		"\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.x": "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.x",
		"\u200dpaypal\u200d\u0646":                     "paypal\u0646",
	} {
		if got := policy.VisibleText(text); got != want {
			t.Errorf("%+q: got %+q, want %+q", text, got, want)
		}
	}
}
