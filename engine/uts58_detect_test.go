package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// TestLinkDetection walks LinkDetectionTest.txt of UTS #58, conformance
// clauses C1 and C3: all of its lines in strict mode, and in default mode,
// whose adjustments touch none of them.
func TestLinkDetection(t *testing.T) {
	data, err := os.ReadFile(env.UCD(t, "linkification/LinkDetectionTest.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, strict := range []bool{true, false} {
		t.Run(fmt.Sprintf("strict %t", strict), func(t *testing.T) {
			s := newScanner(t, engine.Options{Strict: strict})
			lines := 0
			for n, line := range strings.Split(string(data), "\n") {
				if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
					continue
				}
				lines++
				text := strings.NewReplacer("⸠", "", "⸡", "").Replace(line)
				if got := mark(s, text); got != line {
					t.Errorf("line %d:\n got %s\nwant %s", n+1, got, line)
				}
			}
			if lines != 344 {
				t.Errorf("%d lines, want 344: is this the file of Unicode 17.0.0?", lines)
			}
		})
	}
}
