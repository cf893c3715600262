package explain

import (
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
)

// TestKinds: which kind of link or text a line is, and what it opens.
func TestKinds(t *testing.T) {
	tests := []struct {
		name, line, kind, href string
		reason                 string
	}{
		{"URL", "https://example.com/α", "url", "https://example.com/%CE%B1", ""},
		{"bare host", "example.com", "url", "http://example.com/", ""},
		{"bare host in Unicode", "пример.рф", "url", "http://xn--e1afmkfd.xn--p1ai/", ""},
		{"A-label", "xn--e1afmkfd.xn--p1ai", "url", "http://xn--e1afmkfd.xn--p1ai/", ""},
		{"white space around", " \texample.com ", "url", "http://example.com/", ""},
		{"with a space in the path", "https://example.com/a b", "url", "https://example.com/a%20b", ""},
		{"with a final stop", "https://example.com/a.", "url", "https://example.com/a.", ""},
		{"path below an unknown top-level domain", "example.zzzz/x", "url", "http://example.zzzz/x", ""},
		{"address", "info@example.com", "email", "mailto:info@example.com", ""},
		{"mailto", "mailto:info@example.com?subject=x", "email", "mailto:info@example.com?subject=x", ""},
		{"address below an unknown top-level domain", "info@example.zzzz", "email", "mailto:info@example.zzzz", ""},
		{"userinfo", "https://example.com@example.net/", "suspect", "https://example.com@example.net/", "userinfo"},
		{"userinfo and port", "http://a:b@example.net:8080/", "suspect", "http://a:b@example.net:8080/", "userinfo"},
		{"unknown top-level domain with a scheme", "http://example.zzzz", "suspect", "http://example.zzzz/", "unknown-tld"},
		{"refused by IDNA", "http://xn--a.com", "suspect", "", "invalid-idna"},
		{"host below an unknown top-level domain", "example.zzzz", "host", "http://example.zzzz/", ""},
		{"one label", "localhost", "host", "http://localhost/", ""},
		{"IPv4", "192.0.2.1", "host", "http://192.0.2.1/", ""},
		{"IPv6", "2001:db8::1", "host", "http://[2001:db8::1]/", ""},
		{"IPv6 in brackets", "[2001:db8::1]", "host", "http://[2001:db8::1]/", ""},
		{"bare host that IDNA refuses", "xn--a.com", "host", "", "invalid-idna"},
		{"one label and a port", "localhost:8080", "host", "http://localhost:8080/", ""},
		{"script", "javascript:alert(1)", "none", "", ""},
		{"words", "hello world", "none", "", ""},
		{"another scheme", "tel:+123", "none", "", ""},
		{"not UTF-8", "ex\xffample.com", "none", "", ""},
		{"path alone", "/etc/passwd", "none", "", ""},
		{"at alone", "@", "none", "", ""},
	}
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(f, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := e.Explain(tt.line)
			if (err != nil) != (tt.kind == KindNone) {
				t.Errorf("error %v", err)
			}
			if x.Kind != tt.kind || x.Link.Href() != tt.href || string(x.Link.Reason) != tt.reason {
				t.Errorf("kind %s, href %q, reason %q, want %s, %q, %q", x.Kind, x.Link.Href(), x.Link.Reason, tt.kind, tt.href, tt.reason)
			}
			if x.Input != tt.line {
				t.Errorf("input %q", x.Input)
			}
		})
	}
}
