package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/mime"
)

// TestGrowth: an edit under edit_cost = "never" adds at most 2.2 times the text and 1 KiB, on all
// samples. A text that would grow more stays as it came.
func TestGrowth(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "r", HTML: rule.HTMLAlways, NeutralOnly: true}}})
	edited := 0
	for _, s := range samples(t) {
		result := f.Message(t.Context(), localUser(), s.raw)
		if !result.Report.Edited {
			continue
		}
		edited++
		m := mime.Parse(t.Context(), s.raw, mime.Limits{})
		text := 0
		for leaf := range m.Leaves() {
			text = max(text, len(m.Body(leaf)))
		}
		if grown := len(result.Edited) - len(s.raw); 10*grown > 22*text+10<<10 {
			t.Errorf("%s: %d bytes for a text of %d", s.name, grown, text)
		}
	}
	if edited < 30 {
		t.Errorf("%d samples edited", edited)
	}
	deep := strings.Repeat(strings.Repeat(">", 40)+" a\r\nb\r\n", 50)
	notEdited(t, f, localUser(), []byte(text(deep+"Please read this article: "+escapedLink+"\r\n")), "edit-cost")
}
