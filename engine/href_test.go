package engine

import (
	"strings"
	"testing"
)

// TestHref: what browsers make of a URL (WHATWG URL standard).
func TestHref(t *testing.T) {
	tests := []struct {
		name, link, want string
	}{
		{"bare host", "example.com", "http://example.com/"},
		{"bare host with path", "example.com/a", "http://example.com/a"},
		{"bare host with port", "example.com:8080", "http://example.com:8080/"},
		{"capital scheme and host", "HTTP://EXAMPLE.COM/A", "http://example.com/A"},
		{"U-label", "https://bücher.de/ü?ü#ü", "https://xn--bcher-kva.de/%C3%BC?%C3%BC#%C3%BC"},
		{"astral characters", "https://a.de/😀", "https://a.de/%F0%9F%98%80"},
		{"query without path", "https://a.de?q", "https://a.de/?q"},
		{"fragment without path", "https://a.de#f", "https://a.de/#f"},
		{"empty query and fragment", "https://a.de/?#", "https://a.de/?#"},
		{"question mark in the query", "https://a.de/??a?", "https://a.de/??a?"},
		{"question mark and hash in the fragment", "https://a.de/#a?b#c", "https://a.de/#a?b#c"},

		{"default port of http", "http://a.de:80/", "http://a.de/"},
		{"default port of https", "https://a.de:443/", "https://a.de/"},
		{"default port of ftp", "ftp://a.de:21/", "ftp://a.de/"},
		{"another scheme's port", "http://a.de:443/", "http://a.de:443/"},
		{"zeros before the port", "http://a.de:00080/", "http://a.de/"},
		{"empty port", "http://a.de:/", "http://a.de/"},
		{"port 0", "http://a.de:0/", "http://a.de:0/"},

		{"backslashes", `http:\\a.de\b\c`, "http://a.de/b/c"},
		{"backslash in the query stays", `http://a.de/?\`, `http://a.de/?\`},
		{"no slash, and too many", "http:a.de", "http://a.de/"},
		{"four slashes", "http:////a.de", "http://a.de/"},
		{"tabs and line ends", "ht\ttp://a.\nde/b\r\nc", "http://a.de/bc"},
		{"spaces around", "  http://a.de/ ", "http://a.de/"},

		{"single dots", "http://a.de/./b/./c/.", "http://a.de/b/c/"},
		{"double dots", "http://a.de/b/../c/d/..", "http://a.de/c/"},
		{"more double dots than segments", "http://a.de/../../b", "http://a.de/b"},
		{"escaped dots", "http://a.de/b/%2e%2E/c/%2e/.%2e/d", "http://a.de/d"},
		{"three dots", "http://a.de/.../b", "http://a.de/.../b"},
		{"empty segments", "http://a.de//b//../c", "http://a.de//b/c"},
		{"dots in the query", "http://a.de/?/../b", "http://a.de/?/../b"},

		{"path percent-encode set", "http://a.de/ \"<>^`{}|[]'", "http://a.de/%20%22%3C%3E%5E%60%7B%7D|[]'"},
		{"query percent-encode set", "http://a.de/? \"<>^`{}|[]'", "http://a.de/?%20%22%3C%3E^`{}|[]%27"},
		{"fragment percent-encode set", "http://a.de/# \"<>^`{}|[]'", "http://a.de/#%20%22%3C%3E^%60{}|[]'"},
		{"controls", "http://a.de/\x01\x7f", "http://a.de/%01%7F"},
		{"escapes stay", "http://a.de/%c3%a9%zz%", "http://a.de/%c3%a9%zz%"},

		{"user", "http://me@a.de/", "http://me@a.de/"},
		{"user and password", "http://me:pass@a.de/", "http://me:pass@a.de/"},
		{"password only", "http://:pass@a.de/", "http://:pass@a.de/"},
		{"empty user and password", "http://:@a.de/", "http://a.de/"},
		{"empty password", "http://me:@a.de/", "http://me@a.de/"},
		{"user with characters to escape", "http://m@é:a:b@a.de/", "http://m%40%C3%A9:a%3Ab@a.de/"},
		{"IPv4", "http://0x7f.1/", "http://127.0.0.1/"},
		{"IPv6", "http://[::0001]:80/a", "http://[::1]/a"},

		{"address", "info@example.com", "mailto:info@example.com"},
		{"address with mailto:", "MAILTO:info@example.com", "mailto:info@example.com"},
		{"address, domain with U-labels", "info@bücher.de", "mailto:info@xn--bcher-kva.de"},
		{"address, internationalised", "δοκιμή@παράδειγμα.ελ", "mailto:%CE%B4%CE%BF%CE%BA%CE%B9%CE%BC%CE%AE@xn--hxajbheg2az3al.xn--qxam"},
		{"address with syntax characters", "a+b=c&d{e}%41@example.com", "mailto:a+b%3Dc%26d%7Be%7D%2541@example.com"},
		{"mailto: keeps its escapes", "mailto:a%26b@example.com?subject=é%20é&cc=x@y.z", "mailto:a%26b@example.com?subject=%C3%A9%20%C3%A9&cc=x@y.z"},
		{"quoted local-part", `"a b"@example.com`, "mailto:%22a%20b%22@example.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := ParseLink(tt.link)
			if err != nil {
				t.Fatal(err)
			}
			if got := l.Href(); got != tt.want {
				t.Errorf("Href(%q) = %q, want %q", tt.link, got, tt.want)
			}
		})
	}
}

// TestHrefOfUserinfoKeepsTheScheme: behind a scheme of the web, however many slashes follow, the
// text before "@" is a user name. Elsewhere it is the local-part of an address.
func TestHrefOfUserinfoKeepsTheScheme(t *testing.T) {
	scanner, err := New(Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	hrefs := func(text string) []string {
		var all []string
		if l, err := ParseLink(text); err == nil {
			all = append(all, l.Href())
		}
		for _, l := range scanner.Append(nil, text) {
			if l.Text == text {
				all = append(all, l.Href())
			}
		}
		return all
	}
	seen := 0
	for _, scheme := range []string{"http:", "HTTPS:", "ftp:", "mailto:", ""} {
		for _, slashes := range []string{"", "/", "//", "///", `\\`} {
			for _, user := range []string{"user", "user:pw", "paypal.com", "paypal.com:80", "a+b", "пользователь"} {
				for _, host := range []string{"evil.net", "paypal.com+x.evil.com", "paypal.com._x.evil.com"} {
					want := "mailto:"
					if web := strings.ToLower(scheme); web != "" && web != want {
						want = web + "//"
					} else if slashes != "" {
						continue
					}
					text := scheme + slashes + user + "@" + host
					for _, href := range hrefs(text) {
						if seen++; href != "" && !strings.HasPrefix(href, want) {
							t.Errorf("Href(%q) = %q, want %s…", text, href, want)
						}
					}
				}
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d links", seen)
	}
}

// TestHrefBareIPv6: detection accepts an IPv6 address without brackets behind a scheme. Href adds
// the brackets; the text stays.
func TestHrefBareIPv6(t *testing.T) {
	l := Link{Kind: KindURL, Text: "http://2001:DB8::1/%C3%A9", bounds: bounds{7, 7, 18, 18}}
	if got, want := l.Href(), "http://[2001:db8::1]/%C3%A9"; got != want {
		t.Errorf("Href = %q, want %q", got, want)
	}
	if got := l.Readable(HostUnicode); got != l.Text {
		t.Errorf("Readable = %q", got)
	}
}

// TestHrefNone: Href returns "" for a link that no browser would open, such as some suspects.
func TestHrefNone(t *testing.T) {
	for _, l := range []Link{
		{Kind: KindSuspect, Text: "http://a..b/", bounds: bounds{7, 7, 11, 11}},
		{Kind: KindSuspect, Text: "http://a.b:99999/", bounds: bounds{7, 7, 10, 16}},
		{Kind: KindEmail, Text: "a@b..c", bounds: bounds{0, 2, 6, 6}},
		{},
	} {
		if got := l.Href(); got != "" {
			t.Errorf("Href(%q) = %q", l.Text, got)
		}
		if got := l.Readable(HostUnicode); got != l.Text {
			t.Errorf("Readable(%q) = %q", l.Text, got)
		}
	}
}

// Before an "@", detection takes a field of a mailto: URL for a local-part (UTS #58 §5.2). Href
// keeps the URL as it was typed.
func TestHrefOfAFieldInPlaceOfALocalPart(t *testing.T) {
	scanner, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	const text = "mailto:?to=joe@example.com"
	links := scanner.Append(nil, text)
	if len(links) != 1 || links[0].Href() != text {
		t.Errorf("%+v", links)
	}
}
