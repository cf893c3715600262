package script

import (
	"slices"
	"strings"
	"testing"
)

func TestHidden(t *testing.T) {
	for script, want := range map[string]string{
		`a = "ht" + "tp"`:                       `a = "http"`,
		`atob("aHR0cDovL2EuZXhhbXBsZQ==")`:      "http://a.example",
		`fromCharCode(104, 0x74)`:               "ht",
		`x("//a.example/b")`:                    "https://a.example/b",
		`location.host = "a.example"`:           "https://a.example",
		`location["hostname"]='a.example:8080'`: "https://a.example:8080",
		`h="a.example/b"; "https://" + h`:       "https://a.example/b",
	} {
		if got := Hidden(script); !slices.Contains(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	for _, script := range []string{`location.host == "a.example"`, `{"host": "a.example"}`, `"https://"; load("a.min.js")`} {
		if got := Hidden(script); slices.ContainsFunc(got, func(text string) bool { return strings.HasPrefix(text, "https://a") }) {
			t.Errorf("%s: %q", script, got)
		}
	}
}

func FuzzHidden(f *testing.F) {
	f.Add(`"https://" + "a.example"; host="b.example"; x("//c.example")`)
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		for _, text := range Hidden(s) {
			n += len(text)
		}
		if n > 6*len(s)+16 {
			t.Errorf("%q: %d bytes", s, n)
		}
	})
}
