package linkify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/test/linkify"
)

// TestSentences counts the sentences of engine/testdata/sentences.txt in which each program
// finds exactly the links that a native reader sees, as the table of docs/performance.md
// has them.
func TestSentences(t *testing.T) {
	texts, marked := sentences(t)
	names := append([]string{"linkmilter", "linkmilter, strict"}, linkify.Programs[:]...)
	right := make([]int, len(names))
	count := func(program int, spans [][2]int, i int) {
		if slices.Equal(spans, marked[i]) {
			right[program]++
		}
	}
	for program, strict := range []bool{false, true} {
		s, err := engine.New(engine.Options{Strict: strict})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			var spans [][2]int
			for l := range s.All(text) {
				if l.Kind != engine.KindSuspect {
					spans = append(spans, [2]int{l.Start, l.End})
				}
			}
			count(program, spans, i)
		}
	}
	for i, found := range linkify.Find(t, texts) {
		for program, links := range found {
			var spans [][2]int
			for _, l := range links {
				spans = append(spans, [2]int{l.Start, l.End})
			}
			count(program+2, spans, i)
		}
	}
	doc, err := os.ReadFile(filepath.Join(env.Root(t), "docs", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	if total := fmt.Sprintf("has %d sentences", len(texts)); !strings.Contains(string(doc), total) {
		t.Errorf("docs/performance.md does not say that the file %s", total)
	}
	for program, name := range names {
		row := fmt.Sprintf("| %s | %d |", name, right[program])
		if !strings.Contains(string(doc), row+"\n") {
			t.Errorf("docs/performance.md lacks the row %s of %d sentences", row, len(texts))
		}
	}
}

// sentences returns the sentences without their marks, and the links of each.
func sentences(t *testing.T) (texts []string, links [][][2]int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(env.Root(t), "engine", "testdata", "sentences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var text strings.Builder
		var spans [][2]int
		for rest := line; rest != ""; {
			before, after, found := strings.Cut(rest, "⸠")
			text.WriteString(before)
			if !found {
				break
			}
			link, behind, closed := strings.Cut(after, "⸡")
			if !closed {
				t.Fatalf("%s: a mark is missing", line)
			}
			spans = append(spans, [2]int{text.Len(), text.Len() + len(link)})
			text.WriteString(link)
			rest = behind
		}
		texts, links = append(texts, text.String()), append(links, spans)
	}
	return texts, links
}
