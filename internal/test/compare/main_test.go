package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// program writes a program that scans as told, and returns its path.
func program(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "linkmilter")
	script := "#!" + env.Command(t, "sh") + "\ncat <<'END'\n" + strings.Join(lines, "\n") + "\nEND\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func found(file, code, severity string) string {
	return `{"file":"` + file + `","findings":[{"code":"` + code + `","severity":"` + severity + `"}]}`
}

func TestCompareHTML(t *testing.T) {
	dir := t.TempDir()
	var index strings.Builder
	for _, s := range []source{{Name: "a", Tests: []string{"TestA", "TestB"}}, {Name: "b", Tests: []string{"TestA"}}, {Name: "c", Tests: []string{"TestC"}}} {
		line, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		index.Write(append(line, '\n'))
		if err := os.WriteFile(filepath.Join(dir, s.Name+".html"), []byte("<p>"+s.Name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "index.jsonl"), []byte(index.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	c := comparison{
		before: program(t, found("a.eml", "lookalike", "high"), found("b.eml", "mismatch", "medium"), found("c.eml", "mismatch", "info")),
		after:  program(t, found("b.eml", "partial", "medium")),
		list:   "fc",
		out:    &out,
	}
	if err := c.compareHTML(dir); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		dir + "/a.html TestA TestB", "lookalike high -> nothing",
		"", dir + ": 3", "ff fr fc rf rr rc cf cr cc",
		"0 0 1 0 0 0 0 0 0 TestB", "0 1 1 0 0 0 0 0 0 TestA", "0 1 1 0 0 0 0 0 1 all",
		"0.0% 33.3% 33.3% 0.0% 0.0% 0.0% 0.0% 0.0% 33.3%",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCompareMail(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "box"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	c := comparison{before: program(t, found("a", "lookalike", "low")), after: program(t, found("a", "lookalike", "high"), found("box:2", "lookalike", "high")), out: &out}
	if err := c.compareMail(dir); err != nil {
		t.Fatal(err)
	}
	want := "  rf " + filepath.Join(dir, "a") + "\tlookalike low -> lookalike high\n" +
		"  cf " + filepath.Join(dir, "box:2") + "\tnothing -> lookalike high\n"
	if !strings.HasSuffix(out.String(), want) || !strings.Contains(out.String(), dir+": 3\n") {
		t.Errorf("%q, want 3 messages and at the end %q", out.String(), want)
	}
}

// TestMergeIndexes: a source that two processes read has one line, with the tests of both.
func TestMergeIndexes(t *testing.T) {
	dir := t.TempDir()
	for name, line := range map[string]string{"index-1.jsonl": `{"sha":"a","tests":["TestA"],"bases":["x"]}`, "index-2.jsonl": `{"sha":"a","tests":["TestB"],"bases":["x"]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := mergeIndexes(dir); err != nil {
		t.Fatal(err)
	}
	sources, err := readIndex(filepath.Join(dir, "index.jsonl"))
	if err != nil || len(sources) != 1 || !slices.Equal(sources[0].Tests, []string{"TestA", "TestB"}) {
		t.Errorf("%v, %v", sources, err)
	}
}
