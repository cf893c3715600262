package policy_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// ownDomains are invented domains of operators.
var ownDomains = strings.Fields(`
	nordwind.de bergmann-bau.de hafenstadt.org lindenapotheke.com rivertown.co.uk oakfield.edu blauwasser.at sundial.io
	quarzberg.ch feldmaus.eu kestrelbank.com brightharbor.net tannenhof.info mosaikwerk.de greenlantern.org steinbruch.fr
	windmuehle.nl copperleaf.com talstation.it fernhill.com.au`)

// keyboard has the rows of a keyboard. Neighbours in a row, and the keys above and below,
// are near each other.
var keyboard = [...]string{"1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"}

// keysBeside returns the keys beside that of c.
func keysBeside(c byte) (keys []byte) {
	for y, row := range keyboard {
		x := strings.IndexByte(row, c)
		if x < 0 {
			continue
		}
		for _, at := range [...][2]int{{y, x - 1}, {y, x + 1}, {y - 1, x}, {y - 1, x + 1}, {y + 1, x}, {y + 1, x - 1}} {
			if 0 <= at[0] && at[0] < len(keyboard) && 0 <= at[1] && at[1] < len(keyboard[at[0]]) {
				keys = append(keys, keyboard[at[0]][at[1]])
			}
		}
	}
	return keys
}

// asciiLikes has letters in ASCII and what people read as them.
var asciiLikes = map[string][]string{
	"m": {"rn", "nn"}, "rn": {"m"}, "d": {"cl"}, "cl": {"d"}, "w": {"vv"}, "vv": {"w"}, "l": {"1", "i"}, "i": {"1", "l"}, "o": {"0"}, "e": {"3"},
	"a": {"4"}, "s": {"5"}, "b": {"8"}, "g": {"q", "9"}, "q": {"g"}, "u": {"v"}, "v": {"u"}, "n": {"r"}, "h": {"b"}, "z": {"2"}, "t": {"7"},
}

// edits returns the names that differ from a name by one typing error or one ASCII lookalike, by
// kind.
func edits(name string) map[string][]string {
	kinds := map[string][]string{}
	add := func(kind, s string) {
		if s != name && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, "-") && !strings.Contains(s, "--") {
			kinds[kind] = append(kinds[kind], s)
		}
	}
	const characters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for i := range len(name) {
		before, c, after := name[:i], name[i], name[i+1:]
		add("omission", before+after)
		add("repetition", before+string(c)+string(c)+after)
		if after != "" {
			add("transposition", before+string(after[0])+string(c)+after[1:])
			add("hyphenation", before+string(c)+"-"+after)
		}
		for _, l := range characters {
			add("replacement", before+string(l)+after)
			add("insertion", before+string(l)+string(c)+after)
		}
		if plural := "s"; i > 0 {
			if strings.IndexByte("sxz", c) >= 0 || after == "" {
				plural = "es"
			}
			add("plural", before+string(c)+plural+after)
		}
		for _, key := range keysBeside(c) {
			add("keyboard", before+string(key)+after)
			add("keyboard", before+string(key)+string(c)+after)
			add("keyboard", before+string(c)+string(key)+after)
		}
		if strings.IndexByte("aeiou", c) >= 0 {
			for _, vowel := range "aeiou" {
				add("vowel", before+string(vowel)+after)
			}
		}
		for bit := range 7 {
			if flipped := c ^ 1<<bit; strings.IndexByte(characters, flipped) >= 0 {
				add("bit", before+string(flipped)+after)
			}
		}
		for like, others := range asciiLikes {
			for _, other := range others {
				if strings.HasPrefix(name[i:], like) {
					add("homoglyph", before+other+name[i+len(like):])
				}
			}
		}
	}
	for _, l := range characters {
		add("addition", name+string(l))
	}
	return kinds
}

// disguises returns the hosts that contain a name and its suffix without a typing error, by kind.
func disguises(name, suffix string) map[string][]string {
	kinds := map[string][]string{}
	dashed := strings.ReplaceAll(suffix, ".", "-")
	joined := strings.ReplaceAll(suffix, ".", "")
	for _, word := range []string{"login", "invoice", "hr", "secure", "support", "mail", "payroll", "account", "verify", "bonus", "konto"} {
		for _, label := range []string{name + "-" + word, word + "-" + name, name + word, word + name, word + "-" + name + "-online", "my" + name + word} {
			kinds["added word"] = append(kinds["added word"], label+".com", label+".net")
		}
	}
	kinds["merged"] = []string{
		name + joined + ".xyz", name + joined + ".com", name + "-" + dashed + ".xyz", "www" + name + ".com", "www-" + name + ".net", "www" + name + joined + ".xyz",
	}
	kinds["before another domain"] = []string{
		name + "." + suffix + ".evil-host.net", name + "-" + dashed + ".evil-host.net", "www." + name + "." + suffix + ".evil-host.net",
		name + "." + suffix + "-login.evil-host.net", name + joined + ".evil-host.net", "secure-" + name + "." + suffix + ".evil-host.net",
	}
	for i := 1; i < len(name); i++ {
		if name[i] != '-' && name[i-1] != '-' {
			kinds["subdomain"] = append(kinds["subdomain"], name[:i]+"."+name[i:]+"."+suffix)
		}
	}
	return kinds
}

// A tally counts the variants of a kind that are found, and those that belong to honest owners. It
// keeps the others.
type tally struct {
	all, found, honest int
	missed             []string
}

// check fails the test if less than 98 % of what should be found is.
func (c *tally) check(t *testing.T, what string) {
	t.Helper()
	countable := c.all - c.honest
	t.Logf("%s: %d of %d; %d of honest owners; missed: %s", what, c.found, countable, c.honest, c.missed)
	if c.found*100 < countable*98 {
		t.Errorf("%s: only %d of %d found", what, c.found, countable)
	}
}

// variantsOf returns the hosts of all kinds that imitate a domain.
func variantsOf(domain string) map[string][]string {
	name, suffix, _ := strings.Cut(domain, ".")
	kinds := disguises(name, suffix)
	for kind, names := range edits(name) {
		for _, n := range names {
			kinds[kind] = append(kinds[kind], n+"."+suffix)
		}
	}
	return kinds
}

// TestOwnVariants: of each kind of variants of invented protected domains, at least 98 % are
// lookalikes of medium or above, in links and in addresses.
func TestOwnVariants(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: ownDomains})
	tallies := map[string]*tally{}
	judge := func(kind, host string) {
		if tallies[kind] == nil {
			tallies[kind] = &tally{}
		}
		for _, link := range []string{"https://www." + host + "/x", "it@" + host} {
			tallies[kind].all++
			if likenessOf(j.Link(parse(t, link))) >= policy.SeverityMedium {
				tallies[kind].found++
			} else {
				tallies[kind].missed = append(tallies[kind].missed, link)
			}
		}
	}
	for _, own := range ownDomains {
		name, suffix, _ := strings.Cut(own, ".")
		for kind, hosts := range variantsOf(own) {
			for _, host := range hosts {
				judge(kind, host)
			}
		}
		for _, other := range []string{"com", "net", "info", "co", "ru", "xyz", "co.uk", "com.br"} {
			if other != suffix {
				judge("other suffix", name+"."+other)
			}
		}
		judge("number", name+"24."+suffix)
		judge("number", name+"-2026.com")
		if strings.Contains(name, "-") {
			judge("hyphenation", strings.ReplaceAll(name, "-", "")+"."+suffix)
		}
		for _, link := range []string{"https://" + own + "/", "https://login.mail." + own + "/", "it@" + own} {
			if v := j.Link(parse(t, link)); v.Worst() > policy.SeverityNone {
				t.Errorf("%s: %+v", link, v.Findings)
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(tallies)) {
		tallies[kind].check(t, kind)
	}
}

// isHonest reports whether a host belongs to honest owners: its domain is a popular site or
// that of the brand, or its name is a word or name of the list.
func isHonest(host string) bool {
	domain := hostname.Registrable(host)
	name, _, _ := strings.Cut(domain, ".")
	return policy.IsHonestName(name) || policy.IsPopular(domain) || policy.IsOwners(domain)
}

// TestBrandVariants: of each kind of variants of impersonated names, at least 98 % are lookalikes,
// of medium or above if the name has at least eight letters. It does not count known sites, words
// such as "revolt", and the name below another top-level domain, which are honest.
func TestBrandVariants(t *testing.T) {
	j := newJudge(t, policy.Options{})
	long := `americanexpress.com bankofamerica.com blockchain.com capitalone.com citibank.com cloudflare.com coinbase.com
		commerzbank.de docusign.com facebook.com instagram.com linkedin.com mastercard.com metamask.io microsoft.com
		myetherwallet.com postbank.de raiffeisen.ch robinhood.com royalmail.com salesforce.com sharepoint.com
		societegenerale.fr sparkasse.de steamcommunity.com telegram.org tripadvisor.com unicredit.it vodafone.com
		wellsfargo.com westernunion.com whatsapp.com wikipedia.org`
	short := `airbnb.com amazon.com binance.com dropbox.com netflix.com paypal.com revolut.com samsung.com spotify.com walmart.com
		github.com google.com icloud.com reddit.com tiktok.com twitter.com youtube.com swisscom.ch telekom.de expedia.com`
	for _, test := range []struct {
		brands string
		least  policy.Severity
	}{{long, policy.SeverityMedium}, {short, policy.SeverityLow}} {
		tallies := map[string]*tally{}
		for brand := range strings.FieldsSeq(test.brands) {
			name, _, _ := strings.Cut(brand, ".")
			for kind, hosts := range variantsOf(brand) {
				if tallies[kind] == nil {
					tallies[kind] = &tally{}
				}
				c := tallies[kind]
				for _, host := range hosts {
					c.all++
					switch {
					case likenessOf(j.Link(parse(t, "https://"+host+"/"))) >= test.least:
						c.found++
					case isHonest(host):
						c.honest++
					default:
						c.missed = append(c.missed, host)
					}
				}
			}
			if v := j.Link(parse(t, "https://"+name+".dk/")); likenessOf(v) > policy.SeverityNone {
				t.Errorf("%s.dk: %+v", name, v.Findings)
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(tallies)) {
			tallies[kind].check(t, test.least.String()+" "+kind)
		}
	}
}

// likenessOf returns the severity of the worst finding that says that a host resembles a name.
func likenessOf(v policy.Verdict) policy.Severity {
	worst := policy.SeverityNone
	for _, f := range v.Findings {
		if f.Code == policy.CodeLookalike {
			worst = max(worst, f.Severity)
		}
	}
	return worst
}
