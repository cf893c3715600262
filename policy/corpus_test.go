package policy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/policy"
)

// TestOfficialLinks: the links of the official tests of UTS #58 are honest. Most are titles of
// Wikipedia in its languages. Only deΩ.uk mixes Latin and Greek.
func TestOfficialLinks(t *testing.T) {
	scanner, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, policy.Options{})
	judged, counts := 0, map[policy.Code]int{}
	for _, file := range []string{"linkification/LinkDetectionTest.txt", "linkification/LinkFormattingTest.txt"} {
		text, err := os.ReadFile(env.UCD(t, file))
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.NewReplacer("⸠", "", "⸡", "").Replace(string(text))
		for l := range scanner.All(plain) {
			judged++
			v := j.Link(l)
			for _, f := range v.Findings {
				counts[f.Code]++
			}
			if v.Worst() >= policy.SeverityMedium && l.Text != "deΩ.uk" {
				t.Errorf("%q: %+v", l.Text, v.Findings)
			}
		}
	}
	t.Logf("%d links judged; findings below medium: %v", judged, counts)
	if judged < 300 {
		t.Errorf("only %d links", judged)
	}
}
