package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestLinkDetection compares with LinkDetectionTest.txt of UTS #58 in both versions, for the
// conformance clauses C1 and C3. All lines hold in strict mode, and in default mode, whose
// adjustments change none of them.
func TestLinkDetection(t *testing.T) {
	const file = "linkification/LinkDetectionTest.txt"
	for _, path := range []string{env.UCD(t, file), env.UCDOf(t, ucd.IDNAVersion, file)} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, strict := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/strict %t", versionOf(path), strict), func(t *testing.T) {
				checkDetection(t, newScanner(t, engine.Options{Strict: strict}), string(data))
			})
		}
	}
}

// versionOf returns the version of an official file, which is the name of its folder.
func versionOf(path string) string { return filepath.Base(filepath.Dir(filepath.Dir(path))) }

// checkDetection compares the marks of each line of LinkDetectionTest.txt.
func checkDetection(t *testing.T, s *engine.Scanner, data string) {
	lines := 0
	for n, line := range strings.Split(data, "\n") {
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
		t.Errorf("%d lines, want 344: is this the file of Unicode 17.0 or 18.0?", lines)
	}
}
