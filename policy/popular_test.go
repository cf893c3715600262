package policy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// flaggedSites has the sites of the lists that have a finding of medium or above,
// with the reason.
var flaggedSites = map[string]string{}

// TestPopularSites: popular sites and sites of banks are not flagged, nor are hosts below them.
func TestPopularSites(t *testing.T) {
	j := newJudge(t, policy.Options{})
	sites := 0
	for _, list := range []string{"popular", "banks"} {
		text, err := os.ReadFile("lists/" + list + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for site := range strings.Lines(string(text)) {
			site = strings.TrimSpace(site)
			if site == "" || site[0] == '#' {
				continue
			}
			sites++
			for _, link := range []string{"https://" + site + "/", "https://www." + site + "/", "https://news." + site + "/"} {
				if v := j.Link(parse(t, link)); v.Worst() >= policy.SeverityMedium && flaggedSites[site] == "" {
					t.Errorf("%s: %+v", link, v.Findings)
				}
			}
		}
	}
	if sites < 12000 || len(flaggedSites) > 5 {
		t.Errorf("%d sites, %d of them flagged", sites, len(flaggedSites))
	}
}

// TestPopularLookalikes: hosts with letters beyond ASCII look like popular sites;
// honest ones do not.
func TestPopularLookalikes(t *testing.T) {
	check(t, []judged{
		{"one Greek letter", "http://blοgger.com", policy.CodeLookalike, policy.SeverityMedium},
		{"all Cyrillic", "http://һаттег.com", policy.CodeLookalike, policy.SeverityNone},
		{"accent", "http://blögger.com", policy.CodeLookalike, policy.SeverityMedium},
		{"sharp s", "http://youtuße.com", policy.CodeLookalike, policy.SeverityMedium},
		{"below a subdomain", "http://www.blοgger.com", policy.CodeLookalike, policy.SeverityMedium},
		{"a short name with an accent", "http://łódź.pl", policy.CodeLookalike, policy.SeverityNone},
		{"below a popular site", "http://éxample.blogger.com", policy.CodeLookalike, policy.SeverityNone},
		{"a name below a popular site", "http://paypa1.mercadolivre.com", policy.CodeLookalike, policy.SeverityHigh},
		{"another top-level domain", "http://blögger.example", policy.CodeLookalike, policy.SeverityNone},
		{"a content delivery network", "http://www.paypal.com.akadns.net", policy.CodeLookalike, policy.SeverityNone},
		{"not a content delivery network", "http://www.paypal.com.akadns.example.net", policy.CodeLookalike, policy.SeverityMedium},
	})
}
