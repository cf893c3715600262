package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
)

// TestRunningText: in running text of many languages, default mode finds the links where
// native readers see them. See testdata/sentences.txt.
func TestRunningText(t *testing.T) {
	data, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := newScanner(t, engine.Options{})
	language, languages, sentences, held := "", 0, 0, 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "## "); ok {
			language = name
			languages++
		}
		if line == "" || line[0] == '#' {
			continue
		}
		sentences++
		if got := mark(s, unmarker.Replace(line)); got != line {
			t.Errorf("%s:\n got %s\nwant %s", language, got, line)
			continue
		}
		held++
	}
	t.Logf("%d of %d sentences in %d languages hold", held, sentences, languages)
	if sentences < 300 || languages < 40 {
		t.Errorf("only %d sentences in %d languages", sentences, languages)
	}
}
