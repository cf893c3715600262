package engine

import (
	"strings"
	"testing"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

func TestParseLink(t *testing.T) {
	tests := []struct {
		name, text string
		kind       Kind
		host       string
	}{
		{"URL", "https://example.com/a", KindURL, "example.com"},
		{"bare host", "example.com", KindURL, "example.com"},
		{"bare host and port", "example.com:8080/a", KindURL, "example.com"},
		{"bare IPv4", "127.0.0.1", KindURL, "127.0.0.1"},
		{"bare IPv6", "[::1]:80", KindURL, "[::1]"},
		{"bare host with another dot", "例え。jp", KindURL, "例え。jp"},
		{"unknown top-level domain", "printer.invalid", KindURL, "printer.invalid"},
		{"single label after a scheme", "http://localhost/", KindURL, "localhost"},
		{"capitals", "HTTPS://EXAMPLE.COM", KindURL, "EXAMPLE.COM"},
		{"ftp", "ftp://example.com/", KindURL, "example.com"},
		{"web socket", "wss://example.com/", KindURL, "example.com"},
		{"colon and slashes in a fragment", "example.com#a://b", KindURL, "example.com"},
		{"colon and slashes in a query", "example.com?a://b", KindURL, "example.com"},
		{"path with an at sign", "example.com/@me", KindURL, "example.com"},
		{"address", "info@example.com", KindEmail, "example.com"},
		{"mailto:", "mailto:info@example.com", KindEmail, "example.com"},
		{"mailto: with fields that hold an at sign", "mailto:info@example.com?cc=a@b.c", KindEmail, "example.com"},
		{"address with a slash", "a/b@example.com", KindEmail, "example.com"},
		{"address with a hash", "#@example.com", KindEmail, "example.com"},
		{"quoted local-part", `"a@b"@example.com`, KindEmail, "example.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := ParseLink(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if l.Kind != tt.kind || l.host() != tt.host || l.Text != tt.text || l.Start != 0 || l.End != len(tt.text) {
				t.Errorf("ParseLink(%q) = %+v", tt.text, l)
			}
		})
	}
}

func TestParseLinkErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "the text is empty"},
		{"white space", " \t\n", "the text is empty"},
		{"not UTF-8", "http://a.de/\xff", "not UTF-8"},
		{"word", "hello", "neither a scheme nor a domain name"},
		{"sentence", "hello world.", "not allowed"},
		{"no host", "http://", "the host is missing"},
		{"no host before the path", "http:///?a", "the host is missing"},
		{"empty label", "http://a..b/", "a label of the host is empty"},
		{"invalid host", "http://a b/", "is not allowed"},
		{"invalid A-label", "https://xn--a.com/", "idna"},
		{"A-label of an A-label", "https://xn--xn---epa.com/", "Punycode"},
		{"port out of range", "http://a.de:65536/", "over 65535"},
		{"letters for a port", "http://a.de:x/", `port "`},
		{"what follows an IPv6 address", "http://[::1]a/", `port "`},
		{"IPv4 out of range", "http://1.2.3.256/", "IP"},
		{"unknown scheme", "gopher://a.de/", "scheme not supported"},
		{"defanged", "hxxps://a.de/", "scheme not supported"},
		{"script", "javascript:alert(1)", "the scheme is unknown"},
		{"address without a local-part", "@example.com", "want local-part@domain"},
		{"mailto: without an address", "mailto:?subject=a", "want local-part@domain"},
		{"mailto: with two addresses", "mailto:a@b.de,c@d.de", "quotation marks"},
		{"mailto: with a comma behind the address", "mailto:a@b.de,", "one address"},
		{"mailto: with an escaped comma behind the address", "mailto:a@b.de%2C", "one address"},
		{"address with a wide comma behind", "a@b.de，", "one address"},
		{"address with a quotation mark behind", "a@b.de”", "one address"},
		{"local-part with a space", "a b@example.com", "quotation marks"},
		{"local-part with a dot last", "a.@example.com", "quotation marks"},
		{"address with an invalid domain", "a@b..c", "empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := ParseLink(tt.text)
			if err == nil {
				t.Fatalf("ParseLink(%q) = %+v", tt.text, l)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseLink(%q): %v; want %q in it", tt.text, err, tt.want)
			}
			if _, err := Format(tt.text); err == nil {
				t.Errorf("Format(%q) gave no error", tt.text)
			}
			if _, err := FormatASCII(tt.text); err == nil {
				t.Errorf("FormatASCII(%q) gave no error", tt.text)
			}
		})
	}
}

// TestParseLinkSchemeIsASCII replaces a letter of each scheme by each character that folds to it,
// such as "ſ" for "s". Browsers do not read that as the scheme (RFC 3986 §3.1).
func TestParseLinkSchemeIsASCII(t *testing.T) {
	tried := 0
	for _, name := range append(scheme.Web[:], scheme.Mailto) {
		for i, c := range name {
			for r := unicode.SimpleFold(c); r != c; r = unicode.SimpleFold(r) {
				text := name[:i] + string(r) + name[i+1:] + "://example.com/a"
				l, err := ParseLink(text)
				switch {
				case r > unicode.MaxASCII && err == nil:
					t.Errorf("ParseLink(%q) = %+v", text, l)
				case r <= unicode.MaxASCII && name != scheme.Mailto && err != nil:
					t.Error(err)
				}
				tried++
			}
		}
	}
	if tried < 25 {
		t.Errorf("only %d spellings", tried)
	}
}
