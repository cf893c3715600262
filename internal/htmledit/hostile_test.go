package htmledit_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/test/markup"
)

// TestProveEndsWithContext: a proof of a large hostile source ends soon after its context.
func TestProveEndsWithContext(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector")
	}
	const size, lasts, most = 4 << 20, time.Second, 15 * time.Second
	hostile := markup.Hostile()
	for _, name := range []string{"text", "tags", "one tag", "formats", "foster parents", "new attributes of body", "double attributes", "unclosed"} {
		t.Run(name, func(t *testing.T) {
			source, edited := "", "u" // each of that character
			switch name {
			case "text":
				source = strings.Repeat("u ", size/2)
			case "tags":
				source = strings.Repeat("<p>u", size/4)
			default:
				source, edited = "<p a7>"+hostile[name](size), ""
			}
			var splices []htmledit.Splice
			for i := range source {
				if edited != "" && source[i] == edited[0] {
					splices = append(splices, htmledit.Splice{Start: i, End: i + 1, Text: "v"})
				}
			}
			for _, tag := range []int{0, len("<p a7>")} {
				if edited == "" {
					splices = append(splices, htmledit.WithoutAttributes(source, tag, func(name string) bool { return name == "a7" })...)
				}
			}
			if len(splices) == 0 {
				t.Fatal("nothing to prove")
			}
			ctx, cancel := context.WithTimeout(t.Context(), lasts)
			defer cancel()
			start := time.Now()
			_, _, err := htmledit.Prove(ctx, source, splices)
			took := time.Since(start)
			if t.Logf("%d splices, %s, %v", len(splices), took, err); took > most {
				t.Errorf("took %s", took)
			}
		})
	}
}
