package autolink_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	autolink "github.com/linkmilter/linkmilter/goldmark"
)

// A linkifyCase is a test of goldmark's extension.Linkify.
type linkifyCase struct{ number, markdown, html string }

// linkifyCases reads the tests of goldmark, in the version that go.mod names.
func linkifyCases(t *testing.T) []linkifyCase {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "extension", "_test", "linkify.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []linkifyCase
	for text := range strings.SplitSeq(strings.ReplaceAll(string(data), "\r\n", "\n"), "//= = = = = = = = = = = = = = = = = = = = = = = =//") {
		if parts := strings.Split(text, "//- - - - - - - - -//\n"); len(parts) == 3 {
			number, _, _ := strings.Cut(strings.TrimSpace(parts[0]), ":")
			cases = append(cases, linkifyCase{number, parts[1], parts[2]})
		}
	}
	return cases
}

// differences reads where the HTML differs from that of goldmark, and by which rule, by the number
// of the test. ", default mode" means that strict mode agrees with goldmark.
func differences(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	different := make(map[string]string)
	for text := range strings.SplitSeq(string(data), "\ncase ") {
		number, rest, _ := strings.Cut(text, "\n")
		if rule, html, ok := strings.Cut(rest, "\n"); ok && strings.HasPrefix(rule, "rule: ") {
			different[number] = strings.TrimSuffix(html, "\n") + "\n"
		}
	}
	return different
}

// convert returns the HTML of a document, with the links of a Scanner.
func convert(t testing.TB, s *engine.Scanner, markdown string) string {
	t.Helper()
	m := goldmark.New(goldmark.WithExtensions(&autolink.Extension{Scanner: s}), goldmark.WithRendererOptions(html.WithUnsafe()))
	var out bytes.Buffer
	if err := m.Convert([]byte(markdown), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLinkifyOfGoldmark runs goldmark's own tests, with the top-level domains that they
// invent. Where UTS #58 says otherwise, testdata/differences.txt has the rule and the HTML.
func TestLinkifyOfGoldmark(t *testing.T) {
	tlds, err := tld.Builtin().With("b", "baz", "example")
	if err != nil {
		t.Fatal(err)
	}
	cases, different := linkifyCases(t), differences(t)
	if len(cases) < 21 {
		t.Fatalf("only %d cases", len(cases))
	}
	used := make(map[string]bool)
	for _, strict := range []bool{true, false} {
		s, err := engine.New(engine.Options{TLDs: tlds, Strict: strict})
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for _, c := range cases {
			key := c.number
			if _, inDefault := different[key+", default mode"]; inDefault && !strict {
				key += ", default mode"
			}
			want, differs := different[key]
			used[key] = differs
			switch got := convert(t, s, c.markdown); {
			case differs && want == c.html:
				t.Errorf("strict %t, case %s: listed as different, but goldmark has the same", strict, c.number)
			case differs && got != want:
				t.Errorf("strict %t, case %s, listed as different:\n%swant\n%s", strict, c.number, got, want)
			case !differs && got != c.html:
				t.Errorf("strict %t, case %s:\n%sgoldmark has\n%s", strict, c.number, got, c.html)
			case !differs:
				same++
			}
		}
		t.Logf("strict %t: %d of %d cases as in goldmark", strict, same, len(cases))
	}
	for key := range different {
		if !used[key] {
			t.Errorf("case %s: listed as different, but goldmark has no such case", key)
		}
	}
}
