package manual

import "testing"

func TestReplace(t *testing.T) {
	const text = "a\n<!--generated:x-->\nold\n<!--end-->\nb\n<!--generated:y-->\n<!--end-->\n"
	for _, test := range []struct {
		name  string
		parts map[string]string
		want  string // "" for an error
	}{
		{"none", nil, text},
		{"one", map[string]string{"x": "new\n"}, "a\n<!--generated:x-->\nnew\n<!--end-->\nb\n<!--generated:y-->\n<!--end-->\n"},
		{"empty before", map[string]string{"y": "1\n"}, "a\n<!--generated:x-->\nold\n<!--end-->\nb\n<!--generated:y-->\n1\n<!--end-->\n"},
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

func TestSection(t *testing.T) {
	c := Code{"a-code", "RFC 1", "`x`", []Variant{
		{"one", "high", "%U looks like %q"},
		{"two", "high", "%s is long"},
		{"three", "low", "%U looks like %q"},
		{"four", "high", "%U looks like %q"},
	}}
	const want = "Example: `x` (RFC 1)\n\n" +
		"- `one`, `four`: `high`, U+… looks like \"…\"\n" +
		"- `two`: `high`, … is long\n" +
		"- `three`: `low`, U+… looks like \"…\"\n"
	if got := Section(c); got != want {
		t.Errorf("section %q, want %q", got, want)
	}
}

func TestTable(t *testing.T) {
	if got, want := Table([]string{"a", "b"}, []string{"1", "2"}), "| a | b |\n|---|---|\n| 1 | 2 |\n"; got != want {
		t.Errorf("table %q, want %q", got, want)
	}
}
