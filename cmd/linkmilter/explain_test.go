package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// TestExplanationJSONKeys: other programs rely on the names of the keys. All keys are there, also
// without a value.
func TestExplanationJSONKeys(t *testing.T) {
	want := []string{"ascii_host", "display", "display_unicode", "findings", "href", "input", "kind", "unicode_host"}
	e, err := newExplainer("")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"example.com", "pаypal.com", "hello world"} {
		var b bytes.Buffer
		out := bufio.NewWriter(&b)
		x, _ := e.Explain(line)
		if err := newExplanationJSON(out).write(x); err != nil {
			t.Fatal(err)
		}
		out.Flush()
		var object map[string]any
		if err := json.Unmarshal(b.Bytes(), &object); err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(object)); !slices.Equal(got, want) {
			t.Errorf("%s: keys %q", line, got)
		}
		if _, isList := object["findings"].([]any); !isList {
			t.Errorf("%s: findings %v: not a list", line, object["findings"])
		}
		if strings.Count(b.String(), "\n") != 1 {
			t.Errorf("%s: more than a line", line)
		}
	}
}

// TestExplainColours: on a terminal, severities and suspicious code points have colours; nothing
// else changes.
func TestExplainColours(t *testing.T) {
	e, err := newExplainer("")
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.Explain("https://pаypal.com/")
	if err != nil {
		t.Fatal(err)
	}
	var plain, painted bytes.Buffer
	for b, p := range map[*bytes.Buffer]paint{&plain: {}, &painted: {on: true}} {
		out := bufio.NewWriter(b)
		if err := newExplanationTable(out, p, false).write(x); err != nil {
			t.Fatal(err)
		}
		out.Flush()
	}
	for _, want := range []string{
		"\x1b[1mhttps://pаypal.com/\x1b[0m\n",
		"\x1b[1;31mhigh\x1b[0m",
		"\n  p\x1b[1;31mа\x1b[0mypal  xn--pypal-4ve",
		"\x1b[33mMinimally Restrictive\x1b[0m",
		"\x1b[1;31mU+0430\x1b[0m  а  CYRILLIC SMALL LETTER A",
		"as that of \x1b[1;31mpaypal.com\x1b[0m",
	} {
		if !strings.Contains(painted.String(), want) {
			t.Errorf("%q is not in\n%q", want, painted.String())
		}
	}
	var stripped strings.Builder
	for i, part := range strings.Split(painted.String(), "\x1b[") {
		if _, rest, found := strings.Cut(part, "m"); found && i > 0 {
			part = rest
		}
		stripped.WriteString(part)
	}
	if diff := cmp.Diff(plain.String(), stripped.String()); diff != "" {
		t.Error(diff)
	}
}

func TestNewPaint(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if newPaint(null).on || newPaint(&bytes.Buffer{}).on {
		t.Error("colours where the output is not a terminal")
	}
}

func TestColumns(t *testing.T) {
	got := columns("> ", [][]cell{
		{plainCell("a"), plainCell(""), plainCell("end")},
		{plainCell("日本"), plainCell(""), plainCell("end")},
		{plainCell("e\u0301x"), plainCell(""), {"red", "\x1b[31mred\x1b[0m"}},
		{plainCell("क्\u200dष"), plainCell(""), plainCell("")},
		{plainCell("last"), plainCell("")},
	})
	want := "> a     end\n> 日本  end\n> e\u0301x    \x1b[31mred\x1b[0m\n> क्\u200dष\n> last\n"
	if got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestLabelsOf(t *testing.T) {
	latin, cyrillic := ucd.ScriptLatn, ucd.ScriptCyrl
	tests := []struct {
		name, link string
		want       []hostLabel
	}{
		{"mixed scripts, as A-label", "http://xn--pypal-4ve.com/", []hostLabel{
			{
				unicode: "pаypal", ascii: "xn--pypal-4ve", scripts: []ucd.Script{cyrillic, latin},
				level:      uts39.MinimallyRestrictive,
				characters: []character{{code: 'а', script: cyrillic, allowed: true, looksLike: "a"}},
			},
			{unicode: "com", ascii: "com", scripts: []ucd.Script{latin}, level: uts39.ASCIIOnly},
		}},
		{"a restricted character", "i❤u.ws", []hostLabel{
			{
				unicode: "i❤u", ascii: "xn--iu-ony", scripts: []ucd.Script{latin}, level: uts39.Unrestricted,
				characters: []character{{code: '❤', script: ucd.ScriptZyyy}},
			},
			{unicode: "ws", ascii: "ws", scripts: []ucd.Script{latin}, level: uts39.ASCIIOnly},
		}},
		{"an address in place of a name", "http://192.0.2.1/", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			link, err := engine.ParseLink(tt.link)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, labelsOf(link), cmp.AllowUnexported(hostLabel{}, character{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
