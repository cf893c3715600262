package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// ownDomains are made up, for the tests of protected domains.
var ownDomains = strings.Fields(`
	nordwind.de bergmann-bau.de hafenstadt.org lindenapotheke.com rivertown.co.uk oakfield.edu blauwasser.at sundial.io
	quarzberg.ch feldmaus.eu kestrelbank.com brightharbor.net tannenhof.info mosaikwerk.de greenlantern.org steinbruch.fr
	windmuehle.nl copperleaf.com talstation.it fernhill.com.au`)

// edits returns the names that one typing error makes of a name: omission,
// repetition, replacement and insertion of a letter, a swap, another vowel, and a
// flipped bit.
func edits(name string) map[string][]string {
	kinds := map[string][]string{}
	add := func(kind, s string) {
		if s != name && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, "-") && !strings.Contains(s, "--") {
			kinds[kind] = append(kinds[kind], s)
		}
	}
	for i := range len(name) {
		before, c, after := name[:i], name[i], name[i+1:]
		add("omission", before+after)
		add("repetition", before+string(c)+string(c)+after)
		if after != "" {
			add("swap", before+string(after[0])+string(c)+after[1:])
		}
		for l := byte('a'); l <= 'z'; l++ {
			add("replacement", before+string(l)+after)
			add("insertion", before+string(l)+string(c)+after)
		}
		if strings.IndexByte("aeiou", c) >= 0 {
			for _, vowel := range "aeiou" {
				add("vowel", before+string(vowel)+after)
			}
		}
		for bit := range 7 {
			if flipped := c ^ 1<<bit; 'a' <= flipped && flipped <= 'z' || '0' <= flipped && flipped <= '9' {
				add("bit", before+string(flipped)+after)
			}
		}
	}
	return kinds
}

// disguises returns the hosts that use a name and its suffix without a typing error.
func disguises(name, suffix string) map[string][]string {
	kinds := map[string][]string{}
	for _, word := range []string{"login", "invoice", "hr", "secure", "support", "mail", "payroll", "account", "verify", "bonus", "konto"} {
		for _, label := range []string{name + "-" + word, word + "-" + name, name + word, word + name} {
			kinds["added word"] = append(kinds["added word"], label+".com", label+".net")
		}
	}
	kinds["merged"] = []string{name + strings.ReplaceAll(suffix, ".", "") + ".xyz", name + "-" + strings.ReplaceAll(suffix, ".", "-") + ".xyz"}
	kinds["subdomain"] = []string{
		name + "." + suffix + ".evil-host.net",
		name + "-" + strings.ReplaceAll(suffix, ".", "-") + ".evil-host.net",
		"www." + name + "." + suffix + ".evil-host.net",
	}
	return kinds
}

// TestOwnVariants: of the variants of each kind of made-up protected domains at
// least 98 % are lookalikes of medium or above, in links and in addresses.
func TestOwnVariants(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: ownDomains})
	found, all := map[string]int{}, map[string]int{}
	judge := func(kind, host string) {
		for _, link := range []string{"https://www." + host + "/x", "it@" + host} {
			all[kind]++
			if likenessOf(j.Link(parse(t, link))) >= policy.SeverityMedium {
				found[kind]++
			}
		}
	}
	for _, own := range ownDomains {
		name, suffix, _ := strings.Cut(own, ".")
		for kind, names := range edits(name) {
			for _, n := range names {
				judge(kind, n+"."+suffix)
			}
		}
		for kind, hosts := range disguises(name, suffix) {
			for _, host := range hosts {
				judge(kind, host)
			}
		}
		for _, other := range []string{"com", "net", "info", "co", "ru", "xyz"} {
			if other != suffix {
				judge("other suffix", name+"."+other)
			}
		}
		judge("number", name+"24."+suffix)
		judge("number", name+"-2026.com")
		if strings.Contains(name, "d") {
			judge("cl", strings.Replace(name, "d", "cl", 1)+"."+suffix)
		}
		judge("hyphen", name[:3]+"-"+name[3:]+"."+suffix)
		if strings.Contains(name, "-") {
			judge("hyphen", strings.ReplaceAll(name, "-", "")+"."+suffix)
		}
		for _, link := range []string{"https://" + own + "/", "https://login.mail." + own + "/", "it@" + own} {
			if v := j.Link(parse(t, link)); v.Worst() > policy.SeverityNone {
				t.Errorf("%s: %+v", link, v.Findings)
			}
		}
	}
	for kind, n := range all {
		t.Logf("%s: %d of %d", kind, found[kind], n)
		if found[kind]*100 < n*98 {
			t.Errorf("%s: only %d of %d found", kind, found[kind], n)
		}
	}
}

// TestBrandVariants: of the typing errors and added words of impersonated names of
// eight letters and more at least 98 % are lookalikes of medium or above. Of shorter
// ones 95 % are found: words such as "revolt" are honest.
func TestBrandVariants(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, test := range []struct {
		brands string
		least  policy.Severity
		share  int // in percent
	}{
		{`americanexpress.com bankofamerica.com blockchain.com capitalone.com citibank.com cloudflare.com coinbase.com
			commerzbank.de docusign.com facebook.com instagram.com linkedin.com mastercard.com metamask.io microsoft.com
			myetherwallet.com postbank.de raiffeisen.ch robinhood.com royalmail.com salesforce.com sharepoint.com
			societegenerale.fr sparkasse.de steamcommunity.com telegram.org tripadvisor.com unicredit.it vodafone.com
			wellsfargo.com westernunion.com whatsapp.com wikipedia.org`, policy.SeverityMedium, 98},
		{`airbnb.com amazon.com binance.com dropbox.com netflix.com paypal.com revolut.com samsung.com spotify.com
			walmart.com`, policy.SeverityLow, 95},
	} {
		found, all := map[string]int{}, map[string]int{}
		var missed []string
		for brand := range strings.FieldsSeq(test.brands) {
			name, suffix, _ := strings.Cut(brand, ".")
			kinds := edits(name)
			for kind, names := range kinds {
				for _, n := range names {
					all[kind]++
					if likenessOf(j.Link(parse(t, "https://"+n+"."+suffix))) >= test.least {
						found[kind]++
					} else {
						missed = append(missed, n+"."+suffix)
					}
				}
			}
			for kind, hosts := range disguises(name, suffix) {
				for _, host := range hosts {
					all[kind]++
					if likenessOf(j.Link(parse(t, "https://"+host+"/"))) >= test.least {
						found[kind]++
					}
				}
			}
			if v := j.Link(parse(t, "https://"+name+".dk/")); likenessOf(v) > policy.SeverityNone {
				t.Errorf("%s.dk: %+v", name, v.Findings)
			}
		}
		t.Logf("missed: %s", missed)
		for kind, n := range all {
			t.Logf("%s: %d of %d", kind, found[kind], n)
			if found[kind]*100 < n*test.share {
				t.Errorf("%s %s: only %d of %d found", test.least, kind, found[kind], n)
			}
		}
	}
}

// likenessOf returns the severity of the worst finding of a likeness.
func likenessOf(v policy.Verdict) policy.Severity {
	worst := policy.SeverityNone
	for _, f := range v.Findings {
		if f.Code == policy.CodeLookalike {
			worst = max(worst, f.Severity)
		}
	}
	return worst
}
