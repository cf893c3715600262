package policy_test

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

// brands are the domains that TestSpoofs imitates.
var brands = strings.Fields(`
	adobe.com airbnb.com alibaba.com amazon.com apple.com binance.com booking.com chase.com citibank.com coinbase.com
	discord.com docusign.com dropbox.com ebay.com facebook.com fedex.com github.com gmail.com google.com icloud.com
	instagram.com linkedin.com mastercard.com microsoft.com netflix.com office365.com outlook.com paypal.com
	postbank.de reddit.com revolut.com samsung.com sparkasse.de spotify.com telegram.org tiktok.com venmo.com walmart.com
	wellsfargo.com whatsapp.com yahoo.com youtube.com`)

// lookalikesOf returns, for each ASCII letter, the characters and strings
// that confusables.txt says look like it.
func lookalikesOf(t *testing.T) map[string][]string {
	t.Helper()
	f, err := os.Open(env.UCD(t, "security/confusables.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decode := func(hex string) string {
		var b strings.Builder
		for h := range strings.FieldsSeq(hex) {
			n, err := strconv.ParseUint(h, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteRune(rune(n))
		}
		return b.String()
	}
	prototype := map[string]string{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line, _, _ := strings.Cut(strings.TrimPrefix(sc.Text(), "\ufeff"), "#")
		fields := strings.Split(line, ";")
		if len(fields) > 1 {
			prototype[decode(fields[0])] = decode(fields[1])
		}
	}
	likes := map[string][]string{}
	for c := 'a'; c <= 'z'; c++ {
		want := string(c)
		if p, ok := prototype[want]; ok {
			want = p
			likes[string(c)] = append(likes[string(c)], p)
		}
		// Readers cannot tell an upper-case O, a lower-case o and a zero apart.
		for char, p := range prototype {
			if strings.EqualFold(p, want) && char != string(c) {
				likes[string(c)] = append(likes[string(c)], char)
			}
		}
	}
	for _, list := range likes {
		slices.Sort(list) // so that each run has the same spoofs
	}
	if len(likes["a"]) < 10 {
		t.Fatalf("only %d characters look like a", len(likes["a"]))
	}
	return likes
}

// spoofsOf returns imitations of a name, in up to five ways: with one letter replaced, and with all
// letters replaced by those of one script.
func spoofsOf(name string, likes map[string][]string) []string {
	var spoofs []string
	for i := range len(name) {
		for _, like := range likes[name[i:i+1]] {
			spoofs = append(spoofs, name[:i]+like+name[i+1:])
		}
	}
	for _, script := range ucd.AllScripts().Append(nil) {
		var of [][]string // for each letter, those of the script
		for i := range len(name) {
			var list []string
			for _, like := range likes[name[i:i+1]] {
				if r := []rune(like); len(r) == 1 && ucd.ScriptOf(r[0]) == script {
					list = append(list, like)
				}
			}
			of = append(of, list)
		}
		if slices.ContainsFunc(of, func(list []string) bool { return len(list) == 0 }) {
			continue
		}
		for turn := range 5 {
			var whole strings.Builder
			for i, list := range of {
				whole.WriteString(list[(turn*(i+1))%len(list)])
			}
			if !slices.Contains(spoofs, whole.String()) {
				spoofs = append(spoofs, whole.String())
			}
		}
	}
	return spoofs
}

// techniques are the ways in which a mail shows a spoofed name to a reader.
var techniques = []struct {
	name string
	link func(spoof, suffix string) string
	// decoded says that the reader sees the name as IDNA maps it.
	decoded bool
}{
	{"host", func(s, suffix string) string { return "http://" + s + "." + suffix }, false},
	{"www", func(s, suffix string) string { return "https://www." + s + "." + suffix + "/login" }, false},
	{"another top-level domain", func(s, _ string) string { return "http://" + s + ".info" }, false},
	{"subdomain", func(s, suffix string) string { return "http://" + s + "." + suffix + ".example.net" }, false},
	{"first label", func(s, _ string) string { return "http://" + s + ".example.net" }, false},
	{"address", func(s, suffix string) string { return "service@" + s + "." + suffix }, false},
	{"A-label", func(s, suffix string) string { return aLabel("http://" + s + "." + suffix) }, true},
	{"upper-case A-label", func(s, suffix string) string { return strings.ToUpper(aLabel("http://" + s + "." + suffix)) }, true},
	{"userinfo", func(s, suffix string) string { return "http://" + s + "." + suffix + "@example.net/" }, false},
}

// aLabel returns the URL with its host in ASCII.
func aLabel(url string) string {
	l, err := engine.ParseLink(url)
	if err != nil {
		return ""
	}
	return "http://" + l.ASCIIHost()
}

// mappedName returns the first label of a link's host as U-label.
func mappedName(l engine.Link) string {
	name, _, _ := strings.Cut(l.UnicodeHost(), ".")
	return name
}

// looksLike reports whether each character of s is the letter at that place of the name, or looks
// like it.
func looksLike(s, name string, likes map[string][]string) bool {
	for i := range len(name) {
		rest, ok := strings.CutPrefix(s, name[i:i+1])
		for _, like := range likes[name[i:i+1]] {
			if ok {
				break
			}
			rest, ok = strings.CutPrefix(s, like)
		}
		if !ok {
			return false
		}
		s = rest
	}
	return s == ""
}

// TestSpoofs imitates 40 brands with the characters of confusables.txt that IDNA allows. Each
// imitation has a finding of medium or above, by every technique. Those that IDNA maps to the brand
// itself have none.
func TestSpoofs(t *testing.T) {
	likes := lookalikesOf(t)
	j := newJudge(t, policy.Options{})
	scanner := newScanner(t)
	judged, mapped, refused := 0, 0, 0
	for _, brand := range brands {
		name, suffix, _ := strings.Cut(brand, ".")
		for _, spoof := range spoofsOf(name, likes) {
			l, err := engine.ParseLink("http://" + spoof + "." + suffix)
			if err != nil {
				refused++
				continue
			}
			if l.ASCIIHost() == brand {
				mapped++
				if w := j.Link(l).Worst(); w >= policy.SeverityMedium {
					t.Errorf("%s: %+q is the domain itself, but is found %s", brand, spoof, w)
				}
				continue
			}
			for _, tech := range techniques {
				link := tech.link(spoof, suffix)
				if tech.decoded && !looksLike(mappedName(l), name, likes) {
					continue // a browser does not show it as an imitation
				}
				judged++
				if v := j.Link(parse(t, link)); v.Worst() < policy.SeverityMedium {
					t.Errorf("%s by %s: %q (%+q) is missed: %+v", brand, tech.name, link, link, v.Findings)
				}
			}
			// In HTML: the URL of the brand as text of a link to the imitation, and the imitation
			// as text of a link elsewhere.
			texts := []struct{ text, target string }{{"https://www." + brand + "/", "http://" + spoof + "." + suffix + "/"}, {"http://" + spoof + "." + suffix + "/", "https://example.net/"}}
			for _, html := range texts {
				judged++
				if got := (policy.Verdict{Findings: textTarget(t, scanner, j, html.text, html.target)}).Worst(); got < policy.SeverityMedium {
					t.Errorf("%s by HTML: %q (%+q) for %q is %s", brand, html.text, html.text, html.target, got)
				}
			}
			if !strings.ContainsFunc(spoof, func(r rune) bool { return r >= 0x80 }) {
				continue
			}
			judged++
			if v := j.Link(parse(t, "http://example.net/"+spoof+"/login")); v.Worst() < policy.SeverityMedium {
				t.Errorf("%s in a path: %q (%+q) is missed: %+v", brand, spoof, spoof, v.Findings)
			}
		}
	}
	t.Logf("%d spoofed links judged; of the spoofed hosts IDNA mapped %d to the brand and refused %d", judged, mapped, refused)
	if judged < 10000 {
		t.Errorf("only %d spoofs judged", judged)
	}
}
