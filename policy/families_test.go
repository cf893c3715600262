package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestInternationalNameIsHonestWhereItIsWritten: a protected name beyond ASCII is no finding in a
// path, query, fragment or local-part, nor on its own host. With a letter of another alphabet, it
// is one.
func TestInternationalNameIsHonestWhereItIsWritten(t *testing.T) {
	for _, domain := range strings.Fields("müller.de ромашка.рф さくら銀行.jp النخيل.com विश्वास.भारत café-lumière.fr") {
		name, _, _ := strings.Cut(domain, ".")
		j := newJudge(t, policy.Options{Protected: []string{domain}})
		title := strings.ToUpper(name[:0]) + strings.ToTitle(name)
		for _, link := range []string{
			"https://de.wikipedia.org/wiki/" + name, "https://example.org/" + title, "https://example.org/?q=" + name,
			"https://example.org/#" + name, name + "@example.org", "https://" + domain + "/" + name,
		} {
			if v := j.Link(parse(t, link)); v.Worst() > policy.SeverityLow {
				t.Errorf("%s with %s protected: %+v", link, domain, v.Findings)
			}
		}
	}
	j := newJudge(t, policy.Options{Protected: []string{"ромашка.рф"}})
	if v := j.Link(parse(t, "https://example.org/ромaшка")); v.Worst() < policy.SeverityMedium {
		t.Errorf("a Latin letter in the name: %+v", v.Findings)
	}
}

// TestHonestHostsOfNames: services give hosts the names of their customers and brands; such hosts
// in use have no finding.
func TestHonestHostsOfNames(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: []string{"northgate.com", "orion.eu"}})
	for _, host := range strings.Fields(`
		docusign.my.salesforce.com northgate.my.site.com northgate.my.salesforce.com orion.my.salesforce-sites.com
		www.apple.com.v.aaplimg.com cdsassets-apple-com.v.aaplimg.com edge-microsoft-com.ax-0002.ax-msedge.net tiktok.com.ttdns2.com
		walmart.com.cdn-wal.net aliexpress.com.gds.alibabadns.com www-mozilla.fastly-edge.com
		northgate.cloudflareaccess.com northgate.cloudflareportal.com
		citicbank.cn blockchair.com i-mobile.co.jp m-online.net
		barclayscorp.com tripadvisorsupport.com swedbankpay.com capitalonecenter.com coinbase-corp.com pinterestmail.com`) {
		if v := j.Link(parse(t, "https://"+host+"/")); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %+v", host, v.Findings)
		}
	}
}
