package policy_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// targetOf returns the worst severity of a text shown for a target.
func targetOf(t *testing.T, j *policy.Judge, text, target string) policy.Severity {
	t.Helper()
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	return policy.Verdict{Findings: textTarget(t, scanner, j, text, target)}.Worst()
}

// TestOwnersOtherDomains: a text that names one domain of an owner may open any other domain of
// that owner. A text that names a domain of the owner of a protected domain counts as the protected
// domain, also if the link opens a click counter.
func TestOwnersOtherDomains(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, text := range strings.Fields("https://www.paypal.de/signin https://amazon.de/ https://www.amazon.co.jp/x https://login.live.com/ https://www.office.com/login https://www.dhl.de/paket") {
		for _, target := range []string{"https://u12.ct.sendgrid.net/ls/click?upn=x", "https://shop.us1.list-manage.com/track/click?u=1", "https://example.net/"} {
			if got := targetOf(t, j, text, target); got < policy.SeverityMedium {
				t.Errorf("%s opens %s: %s", text, target, got)
			}
		}
	}
	for text, target := range map[string]string{
		"https://www.paypal.de/": "https://www.paypal.com/", "https://www.amazon.de/": "https://www.amazon.com/", "https://wetransfer.com/x": "https://we.tl/t-x",
		"https://www.americanexpress.com/": "https://amex.com/x", "https://outlook.live.com/": "https://outlook.office.com/",
	} {
		if got := targetOf(t, j, text, target); got > policy.SeverityLow {
			t.Errorf("%s opens %s: %s", text, target, got)
		}
	}
}

// TestFamiliesOfInstitutes: all savings banks count as one owner, and so do all cooperative banks,
// whose domains have the names of their towns.
func TestFamiliesOfInstitutes(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for target, want := range map[string]bool{
		"https://www.ksk-koeln.de/": true, "https://www.sparkasse-bodensee.de/": true, "https://spk-hn.de/": true, "https://ksk-login.de/": false, "https://sparkasse-banking.de/": false, "https://ksk-koeln.com/": false,
	} {
		if got := targetOf(t, j, "https://www.sparkasse.de/", target); (got <= policy.SeverityLow) != want {
			t.Errorf("%s: %s", target, got)
		}
	}
	if got := targetOf(t, j, "www.volksbank.de", "https://www.vb-mittelhessen.de/"); got > policy.SeverityLow {
		t.Errorf("vb-mittelhessen.de: %s", got)
	}
}

// TestSendersOwnDomain: a text that names the sender's own domain is low if the link opens a click
// counter, or any site if the sender is authenticated. A text that names another domain is not.
func TestSendersOwnDomain(t *testing.T) {
	plain := newJudge(t, policy.Options{Protected: []string{"partner.example.org"}})
	counter, other := "https://u12.ct.sendgrid.net/ls/click?upn=x", "https://go.example.net/abc"
	for _, test := range []struct {
		text, target, from string
		authenticated      bool
		most, least        policy.Severity
	}{
		{"https://www.paypal.de/", counter, "mail.paypal.com", false, policy.SeverityLow, policy.SeverityInfo},
		{"www.northgate.com", other, "northgate.com", true, policy.SeverityLow, policy.SeverityInfo},
		{"www.northgate.com", other, "northgate.com", false, policy.SeverityHigh, policy.SeverityMedium},
		{"https://www.paypal.com/", counter, "example.net", true, policy.SeverityHigh, policy.SeverityMedium},
		{"https://www.paypal.com/", counter, "", false, policy.SeverityHigh, policy.SeverityMedium},
	} {
		got := targetOf(t, plain.WithSender(test.from, test.authenticated), test.text, test.target)
		if got > test.most || got < test.least {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestServicesThatCarryTargets: links of services that sign documents or check links contain their
// target, which the text may name.
func TestServicesThatCarryTargets(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: []string{"northgate.com"}})
	shop, evil := "https%3A%2F%2Fwww.northgate.com%2F", "https%3A%2F%2Fwww.elsewhere.org%2F"
	for _, form := range []string{
		"https://eu2.content.exclaimer.net/?url=*&tenantid=1", "https://mailtrack.io/link/abc?url=*&userId=1", "https://atpscan.global.hornetsecurity.com/?d=x&u=*",
		"https://www.vadesecure.com/v4?f=x&u=*&s=1", "https://abc.awstrack.me/L0/*/1/x", "https://links-2.govdelivery.com/CL0/*/1/x", "https://brand.onelink.me/abc?pid=mail&af_web_dp=*",
		"https://s.wisestamp.com/links?url=*", "https://contactmonkey.com/api/tracker?cm_link=*",
	} {
		if got := targetOf(t, j, "www.northgate.com", strings.Replace(form, "*", shop, 1)); got > policy.SeverityLow {
			t.Errorf("%s: %s for its own target", form, got)
		}
		if got := targetOf(t, j, "www.northgate.com", strings.Replace(form, "*", evil, 1)); got < policy.SeverityMedium {
			t.Errorf("%s: %s for another target", form, got)
		}
	}
	for _, target := range strings.Fields(`https://t.yesware.com/tt/x/y https://hs-sales-engage.com/Ctc/x https://via.intercom.io/c?ob=x https://lnks.gd/l/x https://x.r.a.d.sendibm1.com/mk/cl/x
		https://r.sp1-brevo.net/x https://links.mkt41.net/x https://click.mailersend.net/x https://eomail4.com/x`) {
		if got := targetOf(t, j, "www.partner.com", target); got > policy.SeverityLow {
			t.Errorf("%s: %s", target, got)
		}
	}
}

// TestBase64InOtherText: a URL in base64 is read with other characters of the base64 alphabet
// behind it, encoded twice, and in reverse.
func TestBase64InOtherText(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, url := range []string{"https://paypa1.com/login", "https://paypa1.com", "http://paypa1.com/a", "https://www.paypa1.com/x/y?z=1"} {
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
			coded := encoding.EncodeToString([]byte(url))
			raw := strings.TrimRight(coded, "=")
			reversed := []byte(raw)
			slices.Reverse(reversed)
			doubled := encoding.EncodeToString([]byte(raw))
			for _, link := range []string{
				"https://t.trk-mailing.com/c/" + raw + "/1", "https://t.trk-mailing.com/c/" + raw + "/name/2", "https://t.trk-mailing.com/c?u=" + raw + "-1", "https://t.trk-mailing.com/#" + raw + "/name",
				"https://t.trk-mailing.com/c/" + raw + "_x", "https://t.trk-mailing.com/c/" + string(reversed), "https://t.trk-mailing.com/c?u=" + string(reversed) + "&x=1", "https://t.trk-mailing.com/c/" + doubled,
			} {
				if v := j.Link(parse(t, link)); v.Worst() < policy.SeverityMedium {
					t.Errorf("%s in %s: %+v", url, link, v.Findings)
				}
			}
		}
	}
	for _, link := range []string{"https://ad.doubleclick.net/clk;1;2?//paypa1.com/login", "https://example.net/?//paypa1.com", "https://https--www-paypa1.com/"} {
		if v := j.Link(parse(t, link)); v.Worst() < policy.SeverityMedium {
			t.Errorf("%s: %+v", link, v.Findings)
		}
	}
}

// TestForwardedAddresses: addresses that forwarding servers rewrite are honest, also if their hash
// has a slash.
func TestForwardedAddresses(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: []string{"web.de", "auental.de"}})
	for _, address := range []string{
		"anna+SRS=VZ/mL=FT=web.de=max.muster@auental.onmicrosoft.com", "SRS0=a/Kd=FT=gmail.com=x@example.org", "SRS0=Kd+a=FT=web.de=max@example.org",
		"SRS1=x/y=example.com==a/Kd=FT=paypal.com=x@example.org", "prvs=12ab/34=max@example.org", "bounce+a/b=max=web.de@example.org",
	} {
		if v := j.Link(parse(t, address)); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %+v", address, v.Findings)
		}
	}
}
