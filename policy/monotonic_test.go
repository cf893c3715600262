package policy_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// brandDomains returns the built-in domains that phishing imitates.
func brandDomains(t *testing.T) (domains []string) {
	t.Helper()
	for line := range hostsOf(t, "lists/impersonated.txt") {
		if fields := strings.Fields(line); len(fields) > 0 {
			domains = append(domains, fields[0])
		}
	}
	return domains
}

// namesakesOf returns domains that an operator may protect, whose names share a key or two bytes
// with that of a brand.
func namesakesOf(brand string) []string {
	name, suffix, _ := strings.Cut(brand, ".")
	half := (len(name) + 1) / 2
	domains := []string{
		name + ".com", name + ".net", name + ".co.uk", name + ".com.br", name[:half] + "-" + name[half:] + ".org", name[:half] + name + ".de",
		name + strings.ReplaceAll(suffix, ".", "") + ".de", "www" + name + ".de", name + "-login.de", name + "login.de", "my-" + name + ".de",
		name + "s.com", name[1:] + ".com", name[:len(name)-1] + "." + suffix, strings.NewReplacer("l", "1", "o", "0", "i", "l").Replace(name) + ".de",
		"login." + name + ".com", name + "." + suffix + ".org",
	}
	return slices.DeleteFunc(domains, func(domain string) bool {
		return strings.Contains("."+domain, ".-") || strings.HasPrefix(domain, ".") || domain == brand
	})
}

// TestProtectedHidesNoFinding: a host that looks like a brand keeps at least its severity if the
// operator protects domains with similar names, unless it is one of these or below one.
func TestProtectedHidesNoFinding(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	without := newJudge(t, policy.Options{})
	flagged := 0
	for _, brand := range brandDomains(t) {
		name, suffix, _ := strings.Cut(brand, ".")
		hosts := []string{name + "." + suffix + "-portal.org", name + "." + suffix + ".portal.org", "x-" + name + "." + suffix + "-portal.org"}
		kinds := variantsOf(brand)
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			for range min(len(kinds[kind]), 8) {
				hosts = append(hosts, kinds[kind][random.IntN(len(kinds[kind]))])
			}
		}
		own := namesakesOf(brand)
		random.Shuffle(len(own), func(i, k int) { own[i], own[k] = own[k], own[i] })
		for _, protected := range [][]string{own[:1], own[1:3], own} {
			with := newJudge(t, policy.Options{Protected: protected})
			isOwn := func(host string) bool {
				return slices.ContainsFunc(protected, func(own string) bool { return host == own || strings.HasSuffix(host, "."+own) })
			}
			for _, host := range hosts {
				link, err := engine.ParseLink("https://" + host + "/")
				if err != nil || isOwn(hostname.Canonical(host)) {
					continue
				}
				before := without.Link(link)
				if before.Worst() > policy.SeverityNone {
					flagged++
				}
				if after := with.Link(link); after.Worst() < before.Worst() {
					t.Errorf("%s with %q protected: %+v, without: %+v", host, protected, after.Findings, before.Findings)
				}
			}
		}
	}
	t.Logf("%d findings", flagged)
	if flagged < 20000 {
		t.Errorf("only %d findings", flagged)
	}
}

// TestSeveralDomainsOfOneKey: the judge compares with each of several protected domains that have
// the same name, or names that look alike.
func TestSeveralDomainsOfOneKey(t *testing.T) {
	for _, test := range []struct {
		protected []string
		link      string
	}{
		{[]string{"metamask.com"}, "https://metamask.io-portal.org/"},
		{[]string{"kestrelbank.com", "kestrelbank.io"}, "https://kestrelbank.io-portal.org/"},
		{[]string{"kestre1bank.com", "kestrelbank.io"}, "https://kestrelbank.io-portal.org/"},
		{[]string{"dhl.de"}, "https://dhl.com.example.net/"},
		{[]string{"paypal.net"}, "https://x.paypal丁com.example.net/"},
		{[]string{"paypal-com.de"}, "https://paypal-com.example.net/"},
	} {
		v := newJudge(t, policy.Options{Protected: test.protected}).Link(parse(t, test.link))
		if v.Worst() < policy.SeverityMedium {
			t.Errorf("%s with %q protected: %+v", test.link, test.protected, v.Findings)
		}
	}
}
