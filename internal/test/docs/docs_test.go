package docs

import "testing"

func TestReplace(t *testing.T) {
	const text = "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n<!-- generated: y -->\n<!-- end -->\n"
	for _, test := range []struct {
		name  string
		parts map[string]string
		want  string // "" for an error
	}{
		{"none", nil, text},
		{"one", map[string]string{"x": "new\n"}, "a\n<!-- generated: x -->\nnew\n<!-- end -->\nb\n<!-- generated: y -->\n<!-- end -->\n"},
		{"empty before", map[string]string{"y": "1\n"}, "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n<!-- generated: y -->\n1\n<!-- end -->\n"},
		{"missing", map[string]string{"z": "new\n"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := replace([]byte(text), test.parts)
			if (err != nil) != (test.want == "") || string(got) != test.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	if _, err := replace([]byte(text+text), map[string]string{"x": "new\n"}); err == nil {
		t.Error("a part that is there twice is taken")
	}
}

func TestTables(t *testing.T) {
	c := Code{"a-code", "high", "RFC 1", "`x`", []Variant{{"one", "high", "%U looks like %q"}}}
	if got, want := Overview([]Code{c}), "| code | worst | source | example |\n|---|---|---|---|\n| [`a-code`](#a-code) | high | RFC 1 | `x` |\n"; got != want {
		t.Errorf("overview %q, want %q", got, want)
	}
	if got, want := Variants(c), "- `one`, `high`: U+… looks like \"…\"\n"; got != want {
		t.Errorf("variants %q, want %q", got, want)
	}
}
