package config

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

var update = flag.Bool("update", false, "write config.example.toml and the expected errors again")

func TestExampleFileIsGenerated(t *testing.T) {
	path := filepath.Join(env.Root(t), "config.example.toml")
	if *update {
		if err := os.WriteFile(path, Example(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(Example()), string(file)); diff != "" {
		t.Errorf("config.example.toml is not what the Go types say (go test ./internal/config -update):\n%s", diff)
	}
}

func TestExampleChangesNothing(t *testing.T) {
	got, err := Parse("example", Example())
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	got.ruleLines = nil
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", *got, want)
	}
}

// TestExampleKeysAreKnown: all keys of the example file are known, also those that are comments.
func TestExampleKeysAreKnown(t *testing.T) {
	var lines []string
	keys := 0
	for line := range strings.Lines(string(Example())) {
		key, isKey := strings.CutPrefix(line, "# ")
		if name, _, found := strings.Cut(key, " = "); isKey && found && !strings.Contains(name, " ") {
			line = key
			keys++
		}
		lines = append(lines, line)
	}
	if keys < 5 {
		t.Fatalf("only %d keys are comments", keys)
	}
	if _, err := Parse("example", []byte(strings.Join(lines, ""))); err != nil {
		t.Error(err)
	}
}

func TestEmptyFileIsTheDefault(t *testing.T) {
	got, err := Parse("empty", nil)
	if err != nil {
		t.Fatal(err)
	}
	got.ruleLines = nil
	if want := Default(); !reflect.DeepEqual(*got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", *got, want)
	}
}

func TestRulesOfAFileReplaceTheBuiltIn(t *testing.T) {
	file, err := Parse("rules", []byte(`
[[rule]]
name = "mine"
when = { client = ["10.0.0.0/8"], header = { X-Kind = "news*" } }
html = "always"
on = { high = "reject" }
`))
	if err != nil {
		t.Fatal(err)
	}
	rules := file.Filter(nil).Rules
	if len(rules) != 1 || rules[0].Name != "mine" || rules[0].HTML != rule.HTMLAlways ||
		rules[0].On.High.String() != "reject" || rules[0].When.Header["X-Kind"] != "news*" || rules[0].IfNotEditable != rule.ActionTag {
		t.Errorf("%+v", rules)
	}
}

// TestBuiltinRules: builtin_rules keeps the built-in rules. A rule with the name of one replaces
// it; other rules go before.
func TestBuiltinRules(t *testing.T) {
	const mine = "[[rule]]\nname = \"mine\"\nwhen = { sender = [\"@example.com\"] }\n"
	for document, want := range map[string][]string{
		"":                               {"authenticated", "local", "others"},
		"builtin_rules = false\n":        {"authenticated", "local", "others"},
		"builtin_rules = true\n":         {"authenticated", "local", "others"},
		mine:                             {"mine"},
		"builtin_rules = true\n" + mine:  {"mine", "authenticated", "local", "others"},
		"builtin_rules = false\n" + mine: {"mine"},
		"builtin_rules = true\n[[rule]]\nname = \"local\"\nwhen = { authenticated = false }\n" + mine: {"mine", "authenticated", "local", "others"},
	} {
		file, err := Parse("rules", []byte(document))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range file.Filter(nil).Rules {
			names = append(names, r.Name)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%q: %s", document, diff)
		}
	}
	if _, err := Parse("rules", []byte(mine+"builtin_rules = true\n")); err == nil || !strings.Contains(err.Error(), "above the first table") {
		t.Errorf("below a table: %v", err)
	}
}

// TestJoinLines: with join_lines, URLs in angle brackets that are broken over lines are found;
// without it, they are not.
func TestJoinLines(t *testing.T) {
	for document, want := range map[string]string{
		"":                               "https://example.com/a",
		"[policy]\njoin_lines = true\n":  "https://example.com/ab",
		"[policy]\njoin_lines = false\n": "https://example.com/a",
	} {
		file, err := Parse("join", []byte(document))
		if err != nil {
			t.Fatal(err)
		}
		f, err := filter.New(file.Filter(nil))
		if err != nil {
			t.Fatal(err)
		}
		links := f.Text("<https://example.com/a\nb>")
		if len(links) != 1 || links[0].Link.Text != want {
			t.Errorf("%q: found %v, want %s", document, links, want)
		}
	}
}

// TestBadFiles: a file of testdata/bad gives all the errors of the file beside it, and no others.
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			document, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Parse(filepath.Base(path), document)
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("accepted, or no list of problems: %v", err)
			}
			expected := strings.TrimSuffix(path, ".toml") + ".err"
			if *update {
				if err := os.WriteFile(expected, []byte(err.Error()+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), problems.Error()+"\n"); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadSaysWhichFileIsMissing(t *testing.T) {
	if _, err := Load("testdata/none.toml"); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "testdata/none.toml") {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Example())
	files, _ := filepath.Glob("testdata/bad/*.toml")
	for _, path := range files {
		if document, err := os.ReadFile(path); err == nil {
			f.Add(document)
		}
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		file, err := Parse("fuzz", document)
		if (file == nil) == (err == nil) {
			t.Fatalf("file %v, error %v", file, err)
		}
	})
}

func TestChanges(t *testing.T) {
	parse := func(document string) *File {
		t.Helper()
		file, err := Parse("test", []byte(document))
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	tests := []struct {
		name, before, after string
		want                []string
	}{
		{"nothing", "[limits]\ntime = \"5s\"\n", "", nil},
		{
			"keys of tables", "", "[limits]\ntime = \"4s\"\n[milter]\nallow = [\"10.0.0.0/8\"]\n[policy]\nseverity = { ip-host = \"none\" }\n",
			[]string{"milter.allow", "limits.time", "policy.severity"},
		},
		{"a rule", "[[rule]]\nname = \"a\"\n", "[[rule]]\nname = \"a\"\ndry_run = true\n", []string{"rule"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Changes(parse(tt.before), parse(tt.after))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestManualHasBuiltinRules: the rules in the manual are the built-in ones.
func TestManualHasBuiltinRules(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join(env.Root(t), "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(manual), "these apply:\n\n```toml\n")
	block, _, _ = strings.Cut(block, "```")
	path := filepath.Join(t.TempDir(), "rules.toml")
	if err := os.WriteFile(path, []byte(block), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(file.Rules, rule.Builtin()) {
		t.Errorf("docs/rules.md has other rules than those built in:\n%+v\nwant %+v", file.Rules, rule.Builtin())
	}
}
