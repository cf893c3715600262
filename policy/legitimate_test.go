package policy_test

import (
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// hiddenNames has honest hosts that browsers display with A-labels, with the display rule that
// hides them.
var hiddenNames = map[string]string{
	"şəhər.com": "country-letter",
	"روزنامه\u200cایران.ایران": "joiner",
	"نامه\u200cای.com":         "joiner",
	"کتاب\u200cخانه.ir":        "joiner",
	"वर\u094d\u200dहाड.भारत":   "joiner",
	"ශ\u0dca\u200dරී.ලංකා":     "joiner",
	"ක\u0dca\u200dරීඩා.ලංකා":   "joiner",
	"hawaiʻi.org":              "quote",
	"ʻōlelo.org":               "quote",
	"avañeʼẽ.com.py":           "quote",
	"ñeʼẽ.com":                 "quote",
	"fakalelei-ʻa-tonga.to":    "quote",
	"בײַשפּיל.טעסט":            "profile",
	"פֿאָרווערטס.קום":          "profile",
	"հայ.com":                  "whole-script",
	"ייִדיש.קום":               "profile",
	"te-fenua-mā’ohi.example":  "idna-2008",
	"tshivenḓa.co.za":          "rare-letter",
	"oʻzbekiston.uz":           "quote",
	"gagauz-yeri-ţara.md":      "profile",
}

// TestLegitimate: honest names have no finding of medium or above, typed in Unicode or
// as A-labels.
func TestLegitimate(t *testing.T) {
	text, err := os.ReadFile("testdata/legitimate.txt")
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, policy.Options{})
	links, languages := 0, map[string]bool{}
	language := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			language = name
			continue
		}
		if line == "" {
			continue
		}
		links++
		languages[language] = true
		l, err := engine.ParseLink(line)
		if err != nil {
			t.Errorf("%s: %v", language, err)
			continue
		}
		forms := []string{line}
		if a := l.ASCIIHost(); a != l.Components().Host {
			forms = append(forms, "http://"+a)
		}
		for _, form := range forms {
			v := j.Link(parse(t, form))
			if hidden := v.HiddenBy.String(); v.Worst() >= policy.SeverityMedium || hidden != hiddenNames[l.UnicodeHost()] || v.DisplayUnicode != (hidden == "") {
				t.Errorf("%s: %s: hidden %q, findings %+v", language, form, hidden, v.Findings)
			}
		}
	}
	t.Logf("%d links in %d sections", links, len(languages))
	if links < 400 || len(languages) < 40 {
		t.Errorf("only %d links in %d sections", links, len(languages))
	}
}

// hostsOf iterates over the hosts of a file, one a line. Lines that begin with "#" are
// comments.
func hostsOf(t *testing.T, path string) iter.Seq[string] {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(text)) {
			host := strings.TrimSuffix(line, "\n")
			if host != "" && host[0] != '#' && !yield(host) {
				return
			}
		}
	}
}

// TestNear: domains in use that are near protected ones, or contain their names, have no finding of
// medium or above.
func TestNear(t *testing.T) {
	j := newJudge(t, policy.Options{})
	hosts := 0
	for host := range hostsOf(t, "testdata/near.txt") {
		hosts++
		for _, link := range []string{"https://" + host + "/", "https://www." + host + "/path", "info@" + host, "https://login." + host} {
			if v := j.Link(parse(t, link)); v.Worst() >= policy.SeverityMedium {
				t.Errorf("%s: %+v", link, v.Findings)
			}
		}
	}
	if hosts < 300 {
		t.Errorf("only %d hosts", hosts)
	}
}

// TestTranslations: names of countries and languages, in every script, have no finding.
func TestTranslations(t *testing.T) {
	j := newJudge(t, policy.Options{})
	hosts := 0
	for host := range hostsOf(t, "testdata/translations.txt") {
		hosts++
		if v := j.Link(parse(t, "https://"+host+"/")); v.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %+v", host, v.Findings)
		}
	}
	if hosts < 180 {
		t.Errorf("only %d hosts", hosts)
	}
}
