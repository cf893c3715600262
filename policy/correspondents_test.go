package policy_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// contacts are correspondents in a map.
type contacts struct {
	domains   map[string]policy.Correspondent
	byKey     map[uint64][]string
	addresses map[string]bool
	lookups   int
}

// often is what is known of a domain that users write to all the time.
var often = policy.Correspondent{Days: 200, Several: true}

func newContacts(domains map[string]policy.Correspondent, addresses ...string) *contacts {
	c := &contacts{domains: domains, byKey: map[uint64][]string{}, addresses: map[string]bool{}}
	for domain := range domains {
		for _, key := range policy.NearKeys(domain) {
			c.byKey[key] = append(c.byKey[key], domain)
		}
	}
	for _, a := range addresses {
		c.addresses[a] = true
	}
	return c
}

func (c *contacts) Domain(domain string) policy.Correspondent { return c.domains[domain] }

func (c *contacts) Near(dst []string, keys []uint64) []string {
	c.lookups += len(keys)
	for _, key := range keys {
		dst = append(dst, c.byKey[key]...)
	}
	return dst
}

func (c *contacts) HasAddress(address string) (has, ok bool) { return c.addresses[address], true }
func (c *contacts) Generation() uint64                       { return 1 }

func alwaysWrittenTo(domains ...string) map[string]policy.Correspondent {
	all := make(map[string]policy.Correspondent)
	for _, d := range domains {
		all[d] = often
	}
	return all
}

// companies returns domains such as those of 500 partners of a company: names of families with a trade,
// made-up names, places, in several countries.
func companies() (domains []string) {
	families := strings.Fields("brandt lindner wagenknecht koehler steinmann halvorsen lindqvist petersen devries vandenberg moreau lefebvre rossetti bianchini kowalczyk nowicki horvath novotny silveira carvalho okonkwo tanabe pemberton whitfield ashdown")
	trades := strings.Fields("bau technik logistik-service druck metall holzbau pumpen -werke systems media energie -consulting")
	suffixes := strings.Fields("de com net eu at ch nl fr it pl co.uk com.br")
	for i, family := range families {
		for k, trade := range trades {
			domains = append(domains, family+trade+"."+suffixes[(i+k)%len(suffixes)])
		}
	}
	first := strings.Fields("zentra novi quixo brava luma veri alto kine trio orbi delta mira sono para fero gala vento rubi tera polo")
	last := strings.Fields("vix lane dyne quant form plast tron med tekt flow")
	for i, a := range first {
		for k, b := range last {
			domains = append(domains, a+b+"."+suffixes[(i*3+k)%len(suffixes)])
		}
	}
	return domains[:500]
}

// TestVariantsOfCorrespondents: of the variants that dnstwist makes of 500 correspondents, at least
// 95 % of each kind are medium, and name the correspondent.
func TestVariantsOfCorrespondents(t *testing.T) {
	domains := companies()
	step := len(domains) / long.Rows(len(domains), 40)
	j := newJudge(t, policy.Options{Correspondents: newContacts(alwaysWrittenTo(domains...))})
	all, found := map[string]int{}, map[string]int{}
	missed := map[string][]string{}
	for i := 0; i < len(domains); i += step {
		domain := domains[i]
		name, suffix, _ := strings.Cut(domain, ".")
		kinds := edits(name)
		hosts := map[string][]string{}
		for kind, names := range kinds {
			for _, n := range names {
				hosts[kind] = append(hosts[kind], n+"."+suffix)
			}
		}
		for _, kind := range []string{"subdomain", "merged", "added word", "before another domain"} {
			hosts[kind] = disguises(name, suffix)[kind]
		}
		hosts["cyrillic"] = homoglyphs(name, suffix)
		for kind, list := range hosts {
			for _, host := range list {
				if hostname.Registrable(host) == domain || slices.Contains(domains, host) {
					continue
				}
				all[kind]++
				if f := correspondentFinding(t, j, "https://"+host+"/"); f.Severity >= policy.SeverityMedium {
					found[kind]++
				} else if len(missed[kind]) < 8 {
					missed[kind] = append(missed[kind], host)
				}
			}
		}
	}
	total, totalFound := 0, 0
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		total, totalFound = total+all[kind], totalFound+found[kind]
		t.Logf("%s: %d of %d; missed %v", kind, found[kind], all[kind], missed[kind])
		least := 95
		if kind == "hyphenation" {
			least = 75 // honest companies have a domain with a hyphen between two words, too
		}
		if found[kind]*100 < all[kind]*least {
			t.Errorf("%s: only %d of %d", kind, found[kind], all[kind])
		}
	}
	t.Logf("all: %d of %d", totalFound, total)
	if total < 20_000 || totalFound*100 < total*95 {
		t.Errorf("only %d of %d variants", totalFound, total)
	}
}

// homoglyphs returns a domain with one letter that looks like its own.
func homoglyphs(name, suffix string) (hosts []string) {
	likes := map[rune]string{'a': "аáạ", 'e': "еéẹ", 'o': "оóọ", 'i': "іíı", 'c': "сċ", 'p': "р", 's': "ѕş", 'n': "ņ", 'u': "ú", 't': "ţ", 'd': "ɗ", 'k': "ķ"}
	for i, r := range name {
		for _, like := range likes[r] {
			hosts = append(hosts, name[:i]+string(like)+name[i+1:]+"."+suffix)
		}
	}
	return hosts
}

// correspondentFinding returns the worst finding of a look-alike.
func correspondentFinding(t *testing.T, j *policy.Judge, link string) (worst policy.Finding) {
	t.Helper()
	for _, f := range j.Link(parse(t, link)).Findings {
		if f.Code == policy.CodeLookalike && f.Severity > worst.Severity || f.Code != policy.CodeLookalike && f.Severity >= policy.SeverityMedium && worst.Severity < policy.SeverityMedium {
			worst = f
		}
	}
	return worst
}

// TestLookupsAreLinear: a host of any length and form costs a few lookups for each of its characters.
func TestLookupsAreLinear(t *testing.T) {
	c := newContacts(alwaysWrittenTo("kupferhandel-rhein.de"))
	j := newJudge(t, policy.Options{Correspondents: c})
	for _, host := range []string{
		"example.net", "www.newsletter.example-company.net", strings.Repeat("a", 63) + ".net", strings.Repeat("abcdefghij.", 20) + "net",
		strings.Repeat("ab-", 20) + "a.net", "secure-login-" + strings.Repeat("account-", 6) + "x.net", "my" + strings.Repeat("myaccount", 6) + ".net", strings.Repeat("nnes", 15) + ".net",
	} {
		c.lookups = 0
		j.Link(parse(t, "https://"+host+"/"))
		if most := 16 * len(host); c.lookups > most {
			t.Errorf("%s: %d lookups, more than %d", host, c.lookups, most)
		}
		t.Logf("%d characters, %d lookups: %s", len(host), c.lookups, host)
	}
}

// TestCorrespondentBeyondASCII: a domain in letters of its language is watched like others.
func TestCorrespondentBeyondASCII(t *testing.T) {
	domain := hostname.Canonical("bäckerei-nordwind.de")
	j := newJudge(t, policy.Options{Correspondents: newContacts(alwaysWrittenTo(domain))})
	for host, want := range map[string]policy.Severity{
		"bäckerei-nordwind.de": policy.SeverityNone, "shop." + domain: policy.SeverityNone, "bäckerei-südwind.de": policy.SeverityNone,
		"bäckerei-nrodwind.de": policy.SeverityMedium, "bäckerei-nordwind-login.com": policy.SeverityMedium, "backerei-nordwind.de": policy.SeverityMedium,
		"bаckerei-nordwind.de": policy.SeverityHigh,
	} {
		if f := correspondentFinding(t, j, "https://"+host+"/"); f.Severity != want {
			t.Errorf("%s: %+v, want %s", host, f, want)
		}
	}
}

// TestCorrespondentsOfMany: another domain of a known owner, a popular site and a tenant of a service are no
// look-alikes, and a service that gives hosts to anybody is.
func TestCorrespondentsOfMany(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: []string{"kupferhandle-rhein.de"}, Correspondents: newContacts(alwaysWrittenTo("hotmail.com", "outlook.com", "kupferhandel-rhein.de", "booking.com", "github.com"))})
	for host, want := range map[string]policy.Severity{
		"hotmail.fr": policy.SeverityNone, "live.com": policy.SeverityNone, "kupferhandle-rhein.de": policy.SeverityNone, "mail.kupferhandle-rhein.de": policy.SeverityNone,
		"kupferhandel-rhein.sharepoint.com": policy.SeverityNone, "booking.com": policy.SeverityNone, "github.io": policy.SeverityNone, "gitlab.com": policy.SeverityNone,
		"kupferhandel-rhein.github.io": policy.SeverityMedium, "www.kupferhandel-rhein.de.evil.net": policy.SeverityMedium,
	} {
		if f := correspondentFinding(t, j, "https://"+host+"/"); f.Severity != want {
			t.Errorf("%s: %+v, want %s", host, f, want)
		}
	}
}
