package scheme_test

import (
	"strconv"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

// TestLongerNamesFirst: longer names come first, so that readers that take the first match find
// "https", not "http".
func TestLongerNamesFirst(t *testing.T) {
	for i, name := range scheme.Linked {
		for _, before := range scheme.Linked[:i] {
			if strings.HasPrefix(name, before) || strings.HasSuffix(name, before) {
				t.Errorf("%s is after %s, which it begins or ends with", name, before)
			}
		}
	}
}

// TestDefaultPort compares with the ports that a URL parser omits.
func TestDefaultPort(t *testing.T) {
	for _, name := range scheme.Web {
		for port := 1; port < 1<<16; port++ {
			if port > 1024 && port%997 != 0 {
				continue
			}
			u, err := whatwg.Parse(name + "://example.com:" + strconv.Itoa(port) + "/")
			if err != nil {
				t.Fatal(err)
			}
			if got, want := port == scheme.DefaultPort(name), u.Port() == ""; got != want {
				t.Errorf("%s, port %d: default %t, want %t", name, port, got, want)
			}
		}
	}
	if port := scheme.DefaultPort("mailto"); port != 0 {
		t.Errorf("mailto has port %d", port)
	}
}

func TestName(t *testing.T) {
	for in, want := range map[string][2]string{
		"https://example.com/": {"https", "//example.com/"},
		"MailTo:a@b.de":        {"mailto", "a@b.de"},
		"a+b-c.1:x:y":          {"a+b-c.1", "x:y"},
		"h:":                   {"h", ""},
		"":                     {"", ""},
		":":                    {"", ":"},
		"https":                {"", "https"},
		"//example.com:80/":    {"", "//example.com:80/"},
		"1http:x":              {"", "1http:x"},
		"+a:x":                 {"", "+a:x"},
		"ht tp:x":              {"", "ht tp:x"},
		"http\u017f:x":         {"", "http\u017f:x"},
		"a/b:c":                {"", "a/b:c"},
	} {
		if name, rest := scheme.Name(in); name != want[0] || rest != want[1] {
			t.Errorf("Name(%q) = %q, %q, want %q", in, name, rest, want)
		}
	}
}
