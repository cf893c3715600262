package policy_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// TestOwnNameInOtherHosts: a coined own name anywhere in the host of another owner is a finding.
func TestOwnNameInOtherHosts(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: []string{"metamask.io", "myetherwallet.com"}})
	for _, host := range strings.Fields(`
		import-myetherwallet.com metamaskwebwallet.io metamask.security-information.cc metamaskio.com meta-mask-io.net
		my.ether-wallet.pw myetherwallet-binance.space httpsmyetherwallet.com metamask.token-import.com metamask.rlogin.co a.metamask-verification.files.cc dl.metamask2x.com
		rnetamask-node.com metam4sk-extension.net metämask-node.com metamaѕk-node.com my-metamask-xpubs.web.app
		metemask-node.com import-mestamask.com home-myetherwallat.top myethrwalet.com rnyethenwallet.com
		myetherwallet-erc20token.weebly.com myetherwalletico.blogspot.de`) {
		for _, link := range []string{"https://" + host + "/x", "service@" + host} {
			if v := j.Link(parse(t, link)); likenessOf(v) < policy.SeverityMedium {
				t.Errorf("%s: %+v", link, v.Findings)
			}
		}
	}
}

// TestOwnNameOfHonestHosts: an own name has no finding on the owner's hosts, in paths, and if it
// consists of common words. Services and partners name hosts after their customers, which is low.
func TestOwnNameOfHonestHosts(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: strings.Fields(
		"metamask.io metamask-news.com northgate.com lindenapotheke.de halvorsen.no bergmann-bau.de fernhill.com.au acommunitybank.com")})
	for _, link := range strings.Fields(`
		https://metamask.io/ https://portfolio.metamask.io/ https://www.metamask-news.com/ https://metamask.zendesk.com/
		https://metamask.workable.com/ https://metamask-prod.cloudflareaccess.com/ https://metamask-my.sharepoint.com/ https://metamask.my.salesforce.com/ https://northgate.my.site.com/
		https://metamask.pricegrabber.com/ https://metamask-test.files-host.cc/ https://metamask.io.edgekey.net/ https://example.net/metamask https://example.net/?u=metamask-login
		https://northgate-hotel.com/ https://northgatebooks.co.uk/ https://lindenapotheke-bonn.de/ https://halvorsen-bakeri.no/
		https://bergmann-bau-koeln.de/ https://fernhillschool.org/ https://unitedcommunitybanks.com/ https://metal-mask.com/
		https://bandmaskerade.de/`) {
		if v := j.Link(parse(t, link)); v.Worst() > policy.SeverityLow {
			t.Errorf("%s: %+v", link, v.Findings)
		}
	}
	brands := newJudge(t, policy.Options{})
	if v := brands.Link(parse(t, "https://metamaskhandbook.com/")); v.Worst() > policy.SeverityNone {
		t.Errorf("a brand in another host: %+v", v.Findings)
	}
}

// TestCoinedVariants puts invented coined names into hosts in each way that phishing does. At least
// 98 % are lookalikes of medium or above.
func TestCoinedVariants(t *testing.T) {
	names := strings.Fields("quixolane.com zentravix.de bluvantor.io fabrequost.eu ombrixalis.net kavotrexum.co.uk")
	j := newJudge(t, policy.Options{Protected: names})
	tallies := map[string]*tally{}
	for _, domain := range names {
		name, suffix, _ := strings.Cut(domain, ".")
		kinds := map[string][]string{
			"before":      {name + ".secure-files.cc", name + "-x7.token-import.cc", "a." + name + "login.files-host.cc"},
			"suffix":      {name + strings.ReplaceAll(suffix, ".", "") + "x.com", name + "-" + strings.ReplaceAll(suffix, ".", "-") + "-x.net"},
			"free":        {name + "x.weebly.com", "get" + name + ".tumblr.com", name + "-x.netlify.app"},
			"digits":      {strings.NewReplacer("l", "1", "o", "0", "e", "3", "a", "4").Replace(name) + "-x.net"},
			"look-alikes": {strings.NewReplacer("a", "а", "e", "е", "o", "о").Replace(name) + "-x.net", strings.NewReplacer("a", "á", "e", "é", "o", "ö").Replace(name) + "x.net"},
		}
		for _, word := range strings.Fields("erc20 sync firmware extension 2x signmsg seed zx9 official-swap") {
			kinds["word"] = append(kinds["word"], name+word+".com", word+name+".net", name+"-"+word+".com", word+"-"+name+".net", "x-"+name+"-"+word+".org")
		}
		for i := 2; i < len(name)-1; i++ {
			kinds["hyphens"] = append(kinds["hyphens"], name[:i]+"-"+name[i:]+".net", "x"+name[:i]+"-"+name[i:]+"x.net")
			kinds["dots"] = append(kinds["dots"], name[:i]+"."+name[i:]+".net")
			kinds["typing error"] = append(kinds["typing error"], name[:i]+name[i+1:]+"-zx9.net", "zx9-"+name[:i]+"x"+name[i:]+".net", name[:i]+"h"+name[i+1:]+"-zx9.net")
		}
		for kind, hosts := range kinds {
			if tallies[kind] == nil {
				tallies[kind] = &tally{}
			}
			for _, host := range hosts {
				tallies[kind].all++
				if likenessOf(j.Link(parse(t, "https://"+host+"/"))) >= policy.SeverityMedium {
					tallies[kind].found++
				} else {
					tallies[kind].missed = append(tallies[kind].missed, host)
				}
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(tallies)) {
		tallies[kind].check(t, kind)
	}
}

// TestOwnNamesOfOthers takes the names of popular sites as own names. Next to no other popular site
// has a finding because of them.
func TestOwnNamesOfOthers(t *testing.T) {
	var own, names []string
	for line := range hostsOf(t, "lists/popular.txt") {
		site := strings.TrimSpace(line)
		if name, _, _ := strings.Cut(site, "."); !slices.Contains(names, name) && site == hostname.Canonical(site) {
			names = append(names, name)
			if len(names)%20 == 0 {
				own = append(own, site)
			}
		}
	}
	j := newJudge(t, policy.Options{Protected: own, WithoutBrands: true})
	found := 0
	for i, name := range names {
		for _, f := range j.Link(parse(t, "https://"+name+"-zx9.example.net/")).Findings {
			if (i+1)%20 != 0 && strings.Contains(f.Detail, " in it ") {
				found++
				t.Logf("%s: %s", name, f.Detail)
			}
		}
	}
	t.Logf("%d own names, %d others", len(own), len(names))
	if found > 10 || len(own) < 300 {
		t.Errorf("%d findings for %d own names and %d others", found, len(own), len(names))
	}
}
