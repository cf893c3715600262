package engine

import (
	"strings"
	"testing"
)

// TestMinimal: the rules of UTS #58 §4.1, one by one.
func TestMinimal(t *testing.T) {
	path := func(segments ...string) Structure { return Structure{Path: segments} }
	query := func(p ...Parameter) Structure { return Structure{Query: p} }
	fragment := func(f string, d ...string) Structure { return Structure{Fragment: f, Directives: d} }
	tests := []struct {
		name string
		s    Structure
		want string
	}{
		{"no parts", Structure{}, ""},
		{"root", path(""), "/"},
		{"empty segments", path("", "a", ""), "//a/"},
		{"all parts", Structure{Path: []string{"é"}, Query: []Parameter{{Key: "ü", Value: "ö"}}, Fragment: "ä", Directives: []string{"text=ß"}}, "/é?ü=ö#ä:~:text=ß"},

		{"Include", path("aé漢-_~@:+"), "/aé漢-_~@:+"},
		{"Hard: space", path("a b"), "/a%20b"},
		{"Hard: ideographic space", path("a\u3000b"), "/a%E3%80%80b"},
		{"Hard: control", path("a\x01"), "/a%01"},
		{"Hard: unassigned", path("a\u0378"), "/a%CD%B8"},
		{"Hard: private use", path("a\ue000"), "/a%EE%80%80"},
		{"Soft before Include", path("a.b,c!d"), "/a.b,c!d"},
		{"Soft last", path("a."), "/a%2E"},
		{"Soft last, several: only the last is escaped", path("a...!"), "/a...%21"},
		{"Soft last, not ASCII", path("は。"), "/は%E3%80%82"},
		{"Soft before Hard", path("a. b"), "/a.%20b"},
		{"Soft at the end of a segment", path("a.", "b"), "/a./b"},
		{"Soft at the end of a path before a query", Structure{Path: []string{"a."}, Query: []Parameter{{Key: "b", KeyOnly: true}}}, "/a.?b"},
		{"Soft at the end of a query before a fragment", Structure{Query: []Parameter{{Key: "a!", KeyOnly: true}}, Fragment: "b"}, "?a!#b"},
		{"Soft at the end of a fragment before a directive", fragment("a.", "text=b"), "#a.:~:text=b"},
		{"Soft only", path("..."), "/..%2E"},

		{"brackets in pairs", path("(a[b]{c})<d>「e」"), "/(a[b]{c})<d>「e」"},
		{"bracket never opened", path("a)b"), "/a%29b"},
		{"bracket never closed", path("a(b"), "/a(b"},
		{"brackets crossed", path("(a[b)c]"), "/(a[b%29c%5D"},
		{"brackets across a slash", path("(a", "b)"), "/(a/b%29"},
		{"brackets across an ampersand", query(Parameter{Key: "(a", KeyOnly: true}, Parameter{Key: "b)", KeyOnly: true}), "?(a&b%29"},
		{"brackets across an equals sign", query(Parameter{Key: "(a", Value: "b)"}), "?(a=b%29"},
		{"brackets across parts", Structure{Path: []string{"(a"}, Fragment: "b)"}, "/(a#b%29"},
		{"brackets across a slash in a fragment", fragment("(a/b)"), "#(a/b)"},
		{"brackets across a comma of a directive", fragment("", "text=(a,b)"), "#:~:text=(a,b%29"},
		{"125 brackets open", path(strings.Repeat("(", 125) + "a" + strings.Repeat(")", 125)), "/" + strings.Repeat("(", 125) + "a" + strings.Repeat(")", 125)},
		{"126 brackets open", path(strings.Repeat("(", 126) + "a" + strings.Repeat(")", 126)), "/" + strings.Repeat("(", 125) + "%28a" + strings.Repeat(")", 125) + "%29"},

		{"syntax in a segment", path("a/b?c#d"), "/a%2Fb%3Fc%23d"},
		{"backslash in a segment", path(`a\b`), "/a%5Cb"},
		{"query characters in a segment", path("a&b=c+d"), "/a&b=c+d"},
		{"syntax in keys and values", query(Parameter{Key: "a&b=c+d#e", Value: "f&g=h+i#j"}), "?a%26b%3Dc%2Bd%23e=f%26g%3Dh%2Bi%23j"},
		{"path characters in a value", query(Parameter{Key: "a", Value: "b/c?d"}), "?a=b/c?d"},
		{"empty key", query(Parameter{Value: "a"}), "?=a"},
		{"empty value", query(Parameter{Key: "a"}), "?a="},
		{"key only", query(Parameter{Key: "a", KeyOnly: true}, Parameter{Key: "b", Value: "c"}), "?a&b=c"},
		{"mark of a directive in a fragment", fragment("a:~:b"), "#a%3A~:b"},
		{"mark of a directive in a directive", fragment("a", "b:~:c"), "#a:~:b%3A~:c"},
		{"directive without fragment", fragment("", "text=a"), "#:~:text=a"},
		{"several directives", fragment("a", "b", "c"), "#a:~:b:~:c"},

		{"percent sign before two digits", path("a%41"), "/a%2541"},
		{"percent sign before one digit", path("a%4"), "/a%4"},
		{"percent sign before another character", path("100%é"), "/100%é"},
		{"percent sign in a value", query(Parameter{Key: "a", Value: "%2B"}), "?a=%252B"},
		{"percent sign in a fragment", fragment("%E9"), "#%25E9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.s.Origin = "https://example.com"
			got := tt.s.Minimal()
			if want := tt.s.Origin + tt.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestMinimalIsDetected: between two spaces, detection finds a minimally escaped link whole, as UTS
// #58 §4 wants.
func TestMinimalIsDetected(t *testing.T) {
	s, err := New(Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, data := range []string{"a", "é", ".", "!?", "(", ")", "a)b", "「」", "」", " ", "a b", "\u3000", "%41", "%", ":~:", "/", "&=+", "#", "\u0378", "((", "…", "“”", "«", "»", ","} {
		for _, u := range []Structure{
			{Path: []string{data}},
			{Path: []string{data, data}},
			{Path: []string{"a"}, Query: []Parameter{{Key: data, Value: data}}},
			{Path: []string{data}, Fragment: data},
			{Path: []string{""}, Fragment: data, Directives: []string{"text=a"}},
		} {
			u.Origin = "https://example.com"
			link := u.Minimal()
			n++
			if found := s.Append(nil, "See "+link+" for more."); len(found) != 1 || found[0].Text != link {
				t.Errorf("%q is found as %+v", link, found)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d links", n)
	}
}
