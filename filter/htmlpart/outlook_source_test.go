package htmlpart

import (
	"context"
	"strings"
	"testing"
)

// TestOutlookSourceEnds: the source as Outlook reads it ends with the context, however close its
// conditional comments are.
func TestOutlookSourceEnds(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	const comment = "<!--[if mso]>"
	for name, source := range map[string]string{
		"closed nowhere": strings.Repeat(comment, 1<<16),
		"closed once":    strings.Repeat(strings.Repeat(comment, 1<<10)+"-->", 1<<6),
	} {
		if got := newReader(ended, source, len(source), nil).outlookSource(); len(got) != len(source) || !strings.Contains(got, comment) {
			t.Errorf("%s: the context has ended, and all was read", name)
		}
		if got := newReader(t.Context(), source, len(source), nil).outlookSource(); len(got) != len(source) || strings.Contains(got, comment) {
			t.Errorf("%s: not all was read", name)
		}
	}
}
