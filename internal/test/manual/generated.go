package manual

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// Check fails the test if a generated part of a file in docs/ differs from want,
// which has the text of each part by its name. With update it writes the parts
// instead. It ignores parts that want does not have.
func Check(tb testing.TB, file string, want map[string]string, update bool) {
	tb.Helper()
	path := filepath.Join(env.Root(tb), "docs", file)
	old, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := replace(old, want)
	if err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	switch {
	case bytes.Equal(old, text):
	case update:
		if err := os.WriteFile(path, text, 0o644); err != nil {
			tb.Fatal(err)
		}
	default:
		tb.Errorf("%s: stale tables (run the test with -update)", file)
	}
}

var generatedPart = regexp.MustCompile(`(?ms)^<!--generated:([a-z0-9-]+)-->\n.*?^<!--end-->$`)

// replace returns text with the parts in parts. It returns an error unless text has
// each of them once.
func replace(text []byte, parts map[string]string) ([]byte, error) {
	count := make(map[string]int)
	text = generatedPart.ReplaceAllFunc(text, func(old []byte) []byte {
		name := string(generatedPart.FindSubmatch(old)[1])
		part, ok := parts[name]
		if !ok {
			return old
		}
		count[name]++
		return fmt.Appendf(nil, "<!--generated:%s-->\n%s<!--end-->", name, part)
	})
	for name := range parts {
		if count[name] != 1 {
			return nil, fmt.Errorf("part %q: %d times (want once)", name, count[name])
		}
	}
	return text, nil
}

// Table returns a table with the cells of each row, the header first.
func Table(rows ...[]string) string {
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

// A Code describes a code of findings for its section in findings.md.
type Code struct {
	Name, Source, Example string
	Variants              []Variant
}

// A Variant is one situation in which a code is found.
type Variant struct{ Name, Severity, Text string }

// Section returns the source and the example of a code, and a list of its variants.
// Variants with the same severity and text share a line.
func Section(c Code) string {
	var lines []string
	names := make(map[string][]string)
	for _, v := range c.Variants {
		line := fmt.Sprintf(": `%s`, %s", v.Severity, facts.Replace(v.Text))
		if names[line] == nil {
			lines = append(lines, line)
		}
		names[line] = append(names[line], "`"+v.Name+"`")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Example: %s (%s)\n\n", c.Example, c.Source)
	for _, line := range lines {
		b.WriteString("- " + strings.Join(names[line], ", ") + line + "\n")
	}
	return b.String()
}

// facts writes the verbs of package fmt as readers see them.
var facts = strings.NewReplacer("%U", "U+…", "%q", `"…"`, "%s", "…", "%c", "…", "%d", "…")
