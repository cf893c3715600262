package policy_test

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

// flaggedNames has the honest names of testdata/names.txt that have a finding of medium or above
// all the same, with the reason.
var flaggedNames = map[string]string{
	"société-générale.com": "an impersonated bank with its accents, below another top-level domain",
	"société-générale.fr":  "the same, with hyphens that the bank's own domain lacks",
	"telefónica.com":       "a popular site with its accent",
	"çiçeksepeti.com":      "a popular site with its letters",
}

// TestNames: names of companies, products, towns and families in 30 scripts have no
// finding of medium or above, below .com and below a top-level domain of their country.
func TestNames(t *testing.T) {
	text, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, policy.Options{})
	names, shown := 0, 0
	scripts := map[ucd.Script]bool{}
	language, top := "", ""
	for line := range strings.Lines(string(text)) {
		if header, ok := strings.CutPrefix(strings.TrimSpace(line), "# "); ok {
			i := strings.LastIndexByte(header, ' ')
			language, top = header[:i], header[i+1:]
			continue
		}
		for name := range strings.FieldsSeq(line) {
			names++
			for _, r := range name {
				if unicode.IsLetter(r) {
					scripts[ucd.ScriptOf(r)] = true
				}
			}
			for _, suffix := range []string{"com", top} {
				host := name + "." + suffix
				for _, link := range []string{"https://www." + host + "/", "https://" + parse(t, "http://"+host+"/").ASCIIHost() + "/", "info@" + host} {
					v := j.Link(parse(t, link))
					if v.DisplayUnicode && suffix == top {
						shown++
					}
					if (v.Worst() >= policy.SeverityMedium) != (flaggedNames[host] != "") {
						t.Errorf("%s: %s: %+v", language, link, v.Findings)
					}
				}
			}
		}
	}
	t.Logf("%d names in %d scripts; %d links of %d displayed below their country", names, len(scripts), shown, 3*names)
	if names < 600 || len(scripts) < 30 || shown < 3*names*9/10 || len(flaggedNames) > 5 {
		t.Errorf("%d names in %d scripts, %d displayed", names, len(scripts), shown)
	}
}
