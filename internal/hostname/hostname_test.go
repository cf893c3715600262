package hostname_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

func TestNames(t *testing.T) {
	label := strings.Repeat("a", 63)
	long := strings.Repeat(label+".", 3) // 192 bytes
	for _, test := range []struct {
		s            string
		host, domain bool
	}{
		{"mx.example.com", true, true},
		{"MX.Example.COM", true, true},
		{"localhost", true, true},
		{"xn--bcher-kva.de", true, true},
		{"1.2.3.4", true, true},
		{"a-b.c--d", true, true},
		{label + ".de", true, true},
		{long + label[:61], true, true},
		{"_dmarc.example.com", false, true},
		{"my_service", false, true},
		{long + label[:62], false, false},
		{label + "a.de", false, false},
		{"", false, false},
		{".", false, false},
		{"example.com.", false, false},
		{".example.com", false, false},
		{"a..b", false, false},
		{"-a.de", false, false},
		{"a-.de", false, false},
		{"a.-", false, false},
		{"bücher.de", false, false},
		{"[192.0.2.1]", false, false},
		{"2001:db8::1", false, false},
	} {
		if got := hostname.IsHost(test.s); got != test.host {
			t.Errorf("IsHost(%q) = %t", test.s, got)
		}
		if got := hostname.IsDomain(test.s); got != test.domain {
			t.Errorf("IsDomain(%q) = %t", test.s, got)
		}
	}
}

// TestBytesOfNames puts every byte at the start, inside and at the end of a label.
func TestBytesOfNames(t *testing.T) {
	const always = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for c := range 256 {
		b := string([]byte{byte(c)})
		known, hyphen, underscore := strings.Contains(always, b), b == "-", b == "_"
		for _, test := range []struct {
			s            string
			host, domain bool
		}{
			{b + "a.de", known, known || underscore},
			{"a" + b + "a.de", known || hyphen || b == ".", known || hyphen || underscore || b == "."},
			{"www.a" + b, known, known || underscore},
		} {
			if got := hostname.IsHost(test.s); got != test.host {
				t.Errorf("IsHost(%q) = %t", test.s, got)
			}
			if got := hostname.IsDomain(test.s); got != test.domain {
				t.Errorf("IsDomain(%q) = %t", test.s, got)
			}
		}
	}
}

func TestIsLiteral(t *testing.T) {
	for s, want := range map[string]bool{
		"[192.0.2.1]":        true,
		"[IPv6:2001:db8::1]": true,
		"[2001:db8::1]":      true,
		"192.0.2.1":          false,
		"[192.0.2.1":         false,
		"192.0.2.1]":         false,
		"[]":                 false,
		"[example.com]":      false,
		"[IPv6:]":            false,
		"":                   false,
	} {
		if got := hostname.IsLiteral(s); got != want {
			t.Errorf("IsLiteral(%q) = %t", s, got)
		}
	}
}

func TestASCII(t *testing.T) {
	for in, want := range map[string]string{
		"example.com":        "example.com",
		"Example.COM.":       "example.com",
		"s_1.example.com":    "s_1.example.com",
		"bücher.de":          "xn--bcher-kva.de",
		"BÜCHER.de":          "xn--bcher-kva.de",
		"xn--bcher-kva.de":   "xn--bcher-kva.de",
		"XN--BCHER-KVA.de":   "xn--bcher-kva.de",
		"例え。jp":              "xn--r8jz45g.jp",
		"":                   "",
		"a..b":               "",
		"a b.de":             "",
		"-a.de":              "",
		"xn--zzzzzz99999.de": "",
	} {
		got, err := hostname.ASCII(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("ASCII(%q) = %q, %v, want %q", in, got, err, want)
		}
		if canonical := hostname.Canonical(in); want != "" && canonical != want {
			t.Errorf("Canonical(%q) = %q, want %q", in, canonical, want)
		}
	}
}

func TestCanonicalOfOther(t *testing.T) {
	for in, want := range map[string]string{"": "", "A b.": "a b", "[192.0.2.1]": "[192.0.2.1]", "A_B.de": "a_b.de"} {
		if got := hostname.Canonical(in); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRegistrable(t *testing.T) {
	for in, want := range map[string]string{
		"www.example.com":          "example.com",
		"www.example.com.":         "example.com",
		"example.com":              "example.com",
		"a.b.example.co.uk":        "example.co.uk",
		"co.uk":                    "co.uk",
		"com":                      "com",
		"localhost":                "localhost",
		"a.xn--bcher-kva.de":       "xn--bcher-kva.de",
		"user.github.io":           "user.github.io",
		"192.0.2.1":                "192.0.2.1",
		"192.0.2.1.":               "192.0.2.1",
		"[2001:db8::1]":            "[2001:db8::1]",
		"":                         "",
		"mail.example.unknown-tld": "example.unknown-tld",
	} {
		if got := hostname.Registrable(in); got != want {
			t.Errorf("Registrable(%q) = %q, want %q", in, got, want)
		}
		if got := hostname.Registrable(want); got != want {
			t.Errorf("Registrable(%q) = %q, want itself", want, got)
		}
	}
}

func TestIsIP(t *testing.T) {
	for in, want := range map[string]bool{
		"192.0.2.1": true, "192.0.2.1.": true, "[::1]": true,
		"example.com": false, "1.example.com": false, "example.c0m": false, "": false, ".": false, "a..": false,
	} {
		if got := hostname.IsIP(in); got != want {
			t.Errorf("IsIP(%q) = %t", in, got)
		}
	}
}

func TestUnicode(t *testing.T) {
	for host, want := range map[string]string{
		"":                              "",
		"www.example.com.":              "www.example.com.",
		"www.xn--bcher-kva.xn--p1ai":    "www.b\u00fccher.\u0440\u0444",
		"xn--99999999.xn--bcher-kva":    "xn--99999999.b\u00fccher",
		"b\u00fccher.xn--bcher-kva..de": "b\u00fccher.b\u00fccher..de",
	} {
		if got := hostname.Unicode(host); got != want {
			t.Errorf("%q: got %q, want %q", host, got, want)
		}
	}
}

func TestFullStops(t *testing.T) {
	if got, want := hostname.FullStops("a\u3002b\uff0ec\uff61d.e"), "a.b.c.d.e"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
