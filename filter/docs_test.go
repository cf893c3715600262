package filter_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// TestRulesDocumented: docs/rules.md names every value and every parameter that the filter writes,
// and has the built-in rules as they are.
func TestRulesDocumented(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(env.Root(t), "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	for _, word := range strings.Fields("never needed always keep readable unlink link defang edit " +
		"none tag quarantine tempfail discard reject info low medium high unreadable partial complete unread " +
		"authenticated client daemon sender recipient any_recipient header html plain flagged signed lists if_not_editable on trusted " +
		"other_ids " + report.FieldSummary + " X-Linkmilter-Finding") {
		if !strings.Contains(doc, "`"+word+"`") {
			t.Errorf("%s is not documented", word)
		}
	}
	result := filtered(t, rule.Rule{HTML: rule.HTMLAlways, On: tagAll}, "DKIM-Signature: v=1\r\n"+strings.Repeat(strings.Replace(forgedField, "mx.example.org", "linkmilter", 1)+"\r\n", 70)+partialMessage)
	parameters := regexp.MustCompile(`; ([a-z-]+)=`)
	seen := make(map[string]bool)
	for _, e := range result.HeaderEdits {
		for _, m := range parameters.FindAllStringSubmatch(e.Value, -1) {
			seen[m[1]] = true
			if !strings.Contains(doc, "`"+m[1]+"`") && !strings.Contains(doc, "`"+m[1]+"=") {
				t.Errorf("parameter %s is not documented", m[1])
			}
		}
	}
	if len(seen) < 9 {
		t.Errorf("only the parameters %v were written", seen)
	}
	rest := doc
	for _, r := range rule.Builtin() {
		var found bool
		if _, rest, found = strings.Cut(rest, `name = "`+r.Name+`"`); !found {
			t.Errorf("built-in rule %s is not there, or not in order", r.Name)
		}
	}
}
