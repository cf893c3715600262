package policy_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
	"github.com/linkmilter/linkmilter/policy"
)

var measure = flag.Bool("measure", false, "have Chromium display hosts of all families for "+displayedFile)

// displayedFile has hosts of each family of displayFamilies, and how Chromium displays each.
// TestChromium writes it.
const displayedFile = "testdata/displayed.txt"

// A displayedHost is a host of a family, in U-labels, and whether the browser shows it in Unicode.
type displayedHost struct {
	family, host string
	shown        bool
}

// displayedHosts returns the hosts of the file.
func displayedHosts(t *testing.T) (hosts []displayedHost) {
	t.Helper()
	text, err := os.ReadFile(displayedFile)
	if err != nil {
		t.Fatal(err)
	}
	family := ""
	for line := range strings.Lines(string(text)) {
		how, host, _ := strings.Cut(strings.TrimSpace(line), " ")
		if how == "#" {
			family = host
			continue
		}
		hosts = append(hosts, displayedHost{family, host, how == "shown"})
	}
	return hosts
}

// TestDisplayedAsChromium: of each family, the judge displays a host in Unicode if and only if
// Chromium does.
func TestDisplayedAsChromium(t *testing.T) {
	type count struct{ shown, hidden int }
	counts := map[string]*count{}
	j := newJudge(t, policy.Options{})
	for _, d := range displayedHosts(t) {
		c := counts[d.family]
		if c == nil {
			c = &count{}
			counts[d.family] = c
		}
		if d.shown {
			c.shown++
		} else {
			c.hidden++
		}
		v := j.Link(parse(t, "http://"+d.host+"/"))
		if v.DisplayUnicode != d.shown {
			t.Errorf("%s: %s (%+q): displayed %t, want %t; rule %q, findings %+v", d.family, d.host, d.host, v.DisplayUnicode, d.shown, v.HiddenBy, v.Findings)
		}
	}
	for _, family := range slices.Sorted(maps.Keys(counts)) {
		c := counts[family]
		t.Logf("%s: %d shown, %d hidden", family, c.shown, c.hidden)
		if c.shown+c.hidden < 30 || c.hidden == 0 {
			t.Errorf("%s: %d shown, %d hidden", family, c.shown, c.hidden)
		}
	}
	if len(counts) < 20 {
		t.Errorf("only %d families", len(counts))
	}
}

// TestChromium asks Chromium again how it displays the hosts of the file: with -measure up to 250
// of each family, which it writes to the file, else a few.
func TestChromium(t *testing.T) {
	var hosts []displayedHost
	if *measure {
		hosts = sampleOfFamilies()
	} else {
		for i, d := range displayedHosts(t) {
			if i%25 == 0 && strings.HasSuffix(d.host, ".com") {
				hosts = append(hosts, d)
			}
		}
	}
	shown := displayedByChromium(t, hosts)
	if !*measure {
		for _, d := range hosts {
			if shown[d.host] != d.shown {
				t.Errorf("%s: %s (%+q): shown %t, the file has %t", d.family, d.host, d.host, shown[d.host], d.shown)
			}
		}
		return
	}
	var file strings.Builder
	family := ""
	for _, d := range hosts {
		if d.family != family {
			family = d.family
			fmt.Fprintf(&file, "# %s\n", family)
		}
		how := "hidden"
		if shown[d.host] {
			how = "shown"
		}
		fmt.Fprintf(&file, "%s %s\n", how, d.host)
	}
	if err := os.WriteFile(displayedFile, []byte(file.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sampleOfFamilies returns up to 250 valid hosts of each family.
func sampleOfFamilies() (hosts []displayedHost) {
	const most = 250
	seen := map[string]bool{}
	for _, family := range displayFamilies() {
		var valid []displayedHost
		for _, host := range family.hosts {
			if l, err := engine.ParseLink("http://" + host + "/"); err == nil && l.UnicodeHost() == host && !seen[host] {
				seen[host] = true
				valid = append(valid, displayedHost{family: family.name, host: host})
			}
		}
		step := float64(max(len(valid), most)) / most
		for at := 0.0; int(at) < len(valid); at += step {
			hosts = append(hosts, valid[int(at)])
		}
	}
	return hosts
}

// displayedByChromium reports for each host whether the browser shows it in Unicode. To
// save time it displays many labels as one host, since browsers look at each label alone.
func displayedByChromium(t *testing.T, hosts []displayedHost) map[string]bool {
	t.Helper()
	ascii := func(host string) string {
		a, err := idna.Punycode.ToASCII(host)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	const maxHost = 250
	byTop := map[string][]string{} // hosts whose labels are displayed together, by top-level domain
	var joined, tops []string
	for _, d := range hosts {
		label, top, _ := strings.Cut(d.host, ".")
		byTop[top] = append(byTop[top], ascii(label))
	}
	for _, top := range slices.Sorted(maps.Keys(byTop)) {
		host := ""
		for _, label := range byTop[top] {
			if host != "" && len(host)+len(label)+len(ascii(top)) > maxHost {
				joined, tops = append(joined, host+"t."+ascii(top)), append(tops, top)
				host = ""
			}
			host += label + "."
		}
		joined, tops = append(joined, host+"t."+ascii(top)), append(tops, top)
	}
	shown := map[string]bool{}
	for i, displayed := range chromium.Display(t, joined) {
		labels, as := strings.Split(displayed, "."), strings.Split(joined[i], ".")
		if len(labels) != len(as) {
			t.Fatalf("%s is displayed as %q", joined[i], displayed)
		}
		for k, a := range as {
			u, err := idna.Punycode.ToUnicode(a)
			if err != nil {
				t.Fatal(err)
			}
			shown[u+"."+tops[i]] = labels[k] != a
		}
	}
	return shown
}
