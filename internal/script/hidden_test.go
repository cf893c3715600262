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

// TestDecodesInAnyCase: VBScript and PowerShell ignore case. An index in JavaScript is not a cast.
func TestDecodesInAnyCase(t *testing.T) {
	for _, script := range []string{
		"u = chr(104) & CHR (116)", "u = chrw(104)", "u = strreverse(\"ptth\")", "[Char]104", "-join [char[]](104,116)", "[char]$_", "[CHAR] (104)", "[system.char]104", "[Convert]::frombase64string(x)", "ATOB = atob(x)",
	} {
		if !Decodes(script) {
			t.Errorf("%s: not found", script)
		}
	}
	for _, script := range []string{"counts[char] = counts[char] + 1", "for (const char of s) n[char]++", "n[char] === 1", "on[char](x)", "a()[char](x)", "mychr(1)", "strreversed"} {
		if Decodes(script) {
			t.Errorf("%s: found", script)
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
