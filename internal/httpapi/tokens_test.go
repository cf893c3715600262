package httpapi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseTokens(t *testing.T) {
	const a, b = "0123456789abcdefghij", "abcdefghij-._~+/0123456789=="
	for name, c := range map[string]struct{ file, problem string }{
		"tokens":        {"# comment\n\n" + a + "\n \t" + b + "   mx-1.example # of the gateway\r\n", ""},
		"mark of UTF-8": {"\uFEFF" + a, ""},
		"none":          {"# comment\n", "no token"},
		"empty":         {"", "no token"},
		"short":         {a + "\n" + a[1:], "line 2: token too short"},
		"letters":       {"geheimnisgeheimnisgéheimnis", "line 1: not a token"},
		"three words":   {a + " a b", "line 1: more than"},
		"name":          {a + " a:b", "line 1: name not valid"},
	} {
		tokens, err := parseTokens([]byte(c.file))
		switch {
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem) || strings.Contains(err.Error(), "0123")):
			t.Errorf("%s: %v", name, err)
		case c.problem == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.problem == "":
			if _, ok := tokens.nameOf(a); !ok {
				t.Errorf("%s: the token is not known", name)
			}
		}
	}
	tokens, err := parseTokens([]byte(a + "\n" + b + " gateway\n"))
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		a: "line-1", b: "gateway", "": "", a[1:]: "", a + "x": "", strings.ToUpper(a): "", "gateway": "",
	} {
		if name, ok := tokens.nameOf(given); name != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", given, name, ok)
		}
	}
}

func TestReadTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("0123456789abcdefghij\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTokens(path); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTokens(path); err == nil || !strings.Contains(err.Error(), "chmod 600") || !strings.Contains(err.Error(), path) {
		t.Errorf("readable by all: %v", err)
	}
	if _, err := ReadTokens(path + "x"); err == nil {
		t.Error("a file that is not there")
	}
}

func TestBearer(t *testing.T) {
	for field, want := range map[string]string{
		"Bearer abc": "abc", "bearer  abc ": "abc", "BEARER a b": "a b",
		"": "", "Bearer": "", "Bearer ": "", "Basic abc": "", "abc": "", "Bearerabc": "",
	} {
		if got := bearer(field); got != want {
			t.Errorf("%q: %q", field, got)
		}
	}
}
