package config

import (
	"log/slog"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// TestDefinitions: each key has a name and a sentence, and names a check that exists.
func TestDefinitions(t *testing.T) {
	keys := 0
	walk("", reflect.TypeFor[File](), func(path string, k key) {
		keys++
		if k.name == "" || strings.ToLower(k.name) != k.name {
			t.Errorf("%s: name %q", path, k.name)
		}
		if k.help == "" || strings.ContainsAny(k.help, "|\n") {
			t.Errorf("%s: sentence %q", path, k.help)
		}
		if k.check != "" && checks[k.check] == nil {
			t.Errorf("%s: unknown check %q", path, k.check)
		}
	})
	if keys < 80 {
		t.Errorf("only %d keys", keys)
	}
}

// TestDefaultsOnce: the default of a key is in its tag, or in another package, but not in both.
func TestDefaultsOnce(t *testing.T) {
	var tags, packages, both File
	setDefaults(reflect.ValueOf(&tags).Elem())
	fromPackages(&packages)
	both = Default()
	set := 0
	for _, table := range keysOf(reflect.TypeFor[File]()) {
		if !isTable(table.typ) {
			continue
		}
		for _, k := range keysOf(table.typ) {
			value := func(f *File) reflect.Value { return reflect.ValueOf(f).Elem().Field(table.index).Field(k.index) }
			if !value(&tags).IsZero() && !value(&packages).IsZero() {
				t.Errorf("%s.%s has two defaults", table.name, k.name)
			}
			if !value(&both).IsZero() {
				set++
			}
		}
	}
	if set < 30 {
		t.Errorf("only %d defaults", set)
	}
}

// TestDefaultOfEachKind: a tag may hold a default of any kind.
func TestDefaultOfEachKind(t *testing.T) {
	type table struct {
		Text  string      `toml:"text" default:"a b"`
		List  []string    `toml:"list" default:"a b"`
		Int   int         `toml:"int" default:"5"`
		Bool  bool        `toml:"bool" default:"true"`
		Size  Size        `toml:"size" default:"2 KiB"`
		Time  Duration    `toml:"time" default:"3s"`
		Enum  rule.HTML   `toml:"enum" choice:"never needed always" default:"always"`
		Level LogLevel    `toml:"level" default:"warn"`
		Word  string      `toml:"word" choice:"red green" default:"green"`
		Truth bool        `toml:"truth" choice:"keep edit" default:"edit"`
		Some  rule.Action `toml:"some" choice:"tag reject" default:"reject"`
		None  int         `toml:"none"`
	}
	want := table{"a b", []string{"a", "b"}, 5, true, 2048, Duration(3 * time.Second), rule.HTMLAlways, LogLevel(slog.LevelWarn), "green", true, rule.ActionReject, 0}
	var got table
	setDefaults(reflect.ValueOf(&got).Elem())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, k := range keysOf(reflect.TypeFor[table]()) {
		if k.fallback = "x"; k.typ == reflect.TypeFor[string]() && k.choice == nil || k.typ.Kind() == reflect.Slice {
			continue
		}
		if err := k.setDefault(reflect.New(k.typ).Elem()); err == nil {
			t.Errorf("%s: x is taken", k.name)
		}
	}
}

// TestChoicesAreRead: each word that a key takes is read as the value that writes this word.
func TestChoicesAreRead(t *testing.T) {
	seen := make(map[string]bool)
	walk("", reflect.TypeFor[File](), func(path string, k key) {
		words := k.words()
		if words == nil {
			return
		}
		seen[path] = true
		values := make(map[any]bool)
		for _, word := range words {
			value := reflect.New(k.typ).Elem()
			if err := k.setText(value, word); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if got := strings.Trim(literal(k, value), `"`); got != word {
				t.Errorf("%s: %q became %q", path, word, got)
			}
			values[value.Interface()] = true
		}
		if len(values) != len(words) {
			t.Errorf("%s: %d values for %q", path, len(values), words)
		}
		value := reflect.New(k.typ).Elem()
		for _, wrong := range []string{"", "nope", words[0] + " "} {
			if err := k.setText(value, wrong); err == nil || !strings.Contains(err.Error(), words[0]) {
				t.Errorf("%s: %q gives %v", path, wrong, err)
			}
		}
	})
	if len(seen) < 19 || !seen["rule.on.high"] || !seen["rule.plain"] || !seen["dkim.sign"] {
		t.Errorf("keys with words: %v", seen)
	}
}

// TestWordsOfRules: each word of a rule is read as the value of the filter that it names.
func TestWordsOfRules(t *testing.T) {
	file, err := Parse("rules", []byte(`
[[rule]]
name = "a"
html = "needed"
plain = "readable"
edit_cost = "any"
flagged = "link"
signed = "edit"
lists = "keep"
if_not_editable = "quarantine"
on = { info = "tag", low = "quarantine", medium = "tempfail", high = "discard", partial = "reject" }
[[rule]]
name = "b"
html = "always"
plain = "keep"
flagged = "defang"
[[rule]]
name = "c"
flagged = "unlink"
plain = "needed"
edit_cost = "never"
html = "never"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []rule.Rule{
		{
			Name: "a", HTML: rule.HTMLNeeded, Plain: rule.PlainReadable, Flagged: rule.FlaggedLink, EditSigned: true, KeepLists: true,
			IfNotEditable: rule.ActionQuarantine,
			On: rule.On{
				Info: rule.ActionTag, Low: rule.ActionQuarantine, Medium: rule.ActionTempFail,
				High: rule.ActionDiscard, Partial: rule.ActionReject,
			},
		},
		{Name: "b", HTML: rule.HTMLAlways, NeutralOnly: true, Flagged: rule.FlaggedDefang, IfNotEditable: rule.ActionTag},
		{Name: "c", Plain: rule.PlainNeeded, NeutralOnly: true, IfNotEditable: rule.ActionTag},
	}
	if diff := cmp.Diff(want, file.Rules, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
}

func TestSuggestions(t *testing.T) {
	for document, want := range map[string]string{
		"[limits]\nidle_timeout = 5\n":               "did you mean milter.idle_timeout, content_filter.idle_timeout or http.idle_timeout?",
		"[limit]\n":                                  "did you mean limits?",
		"[[rule]]\nname = \"a\"\nclient = []\n":      "did you mean rule.when.client?",
		"[[rule]]\nname = \"a\"\nhtml = \"alway\"\n": "did you mean always?",
		"[policy.severity]\nmixed-scripts = \"low\"": "did you mean mixed-script?",
		"[policy.severity]\nip-host = \"hihg\"":      "did you mean high?",
		"[log]\nlevel = \"warning\"":                 "did you mean warn?",
	} {
		if _, err := Parse("f", []byte(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", document, err, want)
		}
	}
}
