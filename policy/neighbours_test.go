package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestHonestNeighbours: neighbours, tenants, suppliers and mail routes of protected domains
// honestly have hosts and addresses with their names. At most 2 % of these have a finding of medium
// or above, each for a reason.
func TestHonestNeighbours(t *testing.T) {
	own := strings.Fields(`nordwind.de bergmann-bau.de hafenstadt.org rivertown.co.uk oakfield.edu sundial.io quarzberg.ch kestrelbank.com
		brightharbor.net tannenhof.info mosaikwerk.de copperleaf.com fernhill.com.au northgate.com contoso.de orion.eu acme.com müllers-bäcker.de ромашка.рф さくら銀行.jp`)
	forms := map[string][]string{
		"tenant": strings.Fields(`https://*.my.salesforce.com/ https://*.my.site.com/ https://*.lightning.force.com/ https://*.sharepoint.com/ https://*-my.sharepoint.com/ https://*.zendesk.com/ https://*.atlassian.net/
			https://*.okta.com/ https://*.wd3.myworkdayjobs.com/ https://*.service-now.com/ https://*.personio.de/ https://*.cloudflareaccess.com/ https://*.slack.com/ https://*.webex.com/ https://*.zoom.us/ https://*.bamboohr.com/
			https://*.freshdesk.com/ https://*.eu.auth0.com/ https://*.docusign.net/ https://*.recruitee.com/ https://*.teamtailor.com/ https://*.statuspage.io/ https://*-test.cloudflareaccess.com/ https://*.hosted.panopto.com/`),
		"mail route": strings.Fields(`https://*-de.mail.protection.outlook.com/ x@*.onmicrosoft.com x@*.mail.onmicrosoft.com bounces+12-x=^@em77.sendgrid.net msprvs1=1x=bounces-1@bounces.mailer.example.org
			prvs=12ab/34=x@^ SRS0=a/Kd=FT=^=max@example.org max+SRS=VZ/mL=FT=^=anna@example.org https://mx1.*.iphmx.com/ https://*.in.tmes.trendmicro.com/ https://*-com.mail.eo.outlook.com/`),
		"supplier": strings.Fields(`https://www.druckerei-example.org/kunden/* https://shop.example.org/?customer=* https://example.org/#* https://portal.example.org/*/login https://*.example.org/ https://files.example.org/*-2026.pdf
			*@supplier.example.org info+*@example.org`),
		"neighbour": strings.Fields(`https://www.*verlag.com/ https://hotel-*.com/ https://*-segeln.de/ https://*books.com/ https://*school.org/ https://freunde-*.org/ https://the*hotel.com/ https://*-apotheke.de/`),
	}
	j := newJudge(t, policy.Options{Protected: own})
	all := 0
	var flagged []string
	for kind, links := range forms {
		for _, domain := range own {
			name, _, _ := strings.Cut(domain, ".")
			for _, link := range links {
				link = strings.NewReplacer("*", name, "^", domain).Replace(link)
				all++
				if v := j.Link(parse(t, link)); v.Worst() >= policy.SeverityMedium {
					flagged = append(flagged, kind+" "+link+": "+v.Findings[0].Detail)
				}
			}
		}
	}
	t.Logf("%d of %d:\n%s", len(flagged), all, strings.Join(flagged, "\n"))
	if all < 800 || len(flagged)*50 > all {
		t.Errorf("%d of %d are of medium or above", len(flagged), all)
	}
}
