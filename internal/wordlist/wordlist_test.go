package wordlist

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

const head = "# Words.\n# Source: chosen by hand\n# Date: 2026-11-21\n"

func TestParse(t *testing.T) {
	l, err := Parse(head + "\nb  two words\na\n")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for word, value := range l.All() {
		all = append(all, word+"="+value)
	}
	if got := strings.Join(all, ";"); got != "b=two words;a=" {
		t.Errorf("all %q", got)
	}
	if !l.Has("a") || l.Has("c") || l.Value("b") != "two words" || l.Value("c") != "" {
		t.Errorf("%+v", l)
	}
	if !l.Marked("b", "words") || l.Marked("b", "word") || l.Marked("a", "") || l.Marked("c", "words") {
		t.Errorf("marks of %+v", l)
	}
}

func TestParseErrors(t *testing.T) {
	for name, text := range map[string]string{
		"twice":      head + "a\nb\na x\n",
		"upper case": head + "A\n",
		"no words":   head,
		"no source":  "# Date: 2026-11-21\na\n",
		"no date":    "# Source: chosen by hand\na\n",
		"bad date":   "# Source: chosen by hand\n# Date: today\na\n",
	} {
		if l, err := Parse(text); err == nil {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// keyed are lists whose words are neither labels nor host names.
var keyed = []string{"removed_link.txt", "robots.txt"}

// TestLists: each list of the project parses and says at its head what it has. Its words are labels
// or host names, unless it is one of keyed.
func TestLists(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(env.Root(t), "*", "lists", "*.txt"))
	if err != nil || len(paths) < 9 {
		t.Fatalf("%d lists, %v", len(paths), err)
	}
	for _, path := range paths {
		if filepath.Base(path) == "brands.txt" {
			continue // not a list of words: package policy tests it
		}
		name, err := filepath.Rel(env.Root(t), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			l, err := Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if first, _, _ := strings.Cut(string(text), "\n"); !strings.HasPrefix(first, "# ") || strings.HasPrefix(first, "# Source") {
				t.Errorf("first line %q does not say what the list has", first)
			}
			for word := range l.All() {
				if slices.Contains(keyed, filepath.Base(path)) {
					break
				}
				aLabels, err := idna.Registration.ToASCII(word)
				if u, uErr := idna.ToUnicode(aLabels); err != nil || uErr != nil || u != word {
					t.Errorf("%q: not a label or the name of a host: %v", word, err)
				}
			}
		})
	}
}
