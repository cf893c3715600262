package engine

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine/tld"
)

func TestHostToASCII(t *testing.T) {
	tests := []struct {
		name, host, want string // want "": refused
	}{
		{"plain", "example.com", "example.com"},
		{"capitals", "EXAMPLE.Com", "example.com"},
		{"final dot", "example.com.", "example.com."},
		{"single label", "localhost", "localhost"},
		{"underscore, which browsers take", "foo_bar.example.com", "foo_bar.example.com"},
		{"hyphens third and fourth", "r3---sn-apo3qvuoxuxbt-j5pe.example.com", "r3---sn-apo3qvuoxuxbt-j5pe.example.com"},
		{"U-label", "bücher.de", "xn--bcher-kva.de"},
		{"U-label, decomposed", "bu\u0308cher.de", "xn--bcher-kva.de"},
		{"capital U-label", "BÜCHER.DE", "xn--bcher-kva.de"},
		{"A-label", "xn--bcher-kva.de", "xn--bcher-kva.de"},
		{"capital A-label", "XN--BCHER-KVA.de", "xn--bcher-kva.de"},
		{"sharp s is kept", "faß.de", "xn--fa-hia.de"},
		{"final sigma is kept", "βόλος.com", "xn--nxasmm1c.com"},
		{"ZWNJ where letters join", "نامه\u200cای.com", "xn--mgba3gch31f060k.com"},
		{"ZWNJ where none join", "a\u200cb.com", ""},
		{"the four dots", "a。b．c｡d.com", "a.b.c.d.com"},
		{"full-width letters", "ｅｘａｍｐｌｅ.com", "example.com"},
		{"soft hyphen is ignored", "exam\u00adple.com", "example.com"},
		{"percent-escaped", "ex%61mple%2Ecom", "example.com"},
		{"percent-escaped U-label", "b%C3%BCcher.de", "xn--bcher-kva.de"},
		{"percent-escaped, not UTF-8", "b%FCcher.de", ""},
		{"percent-escaped slash", "a%2Fb.com", ""},
		{"percent sign", "a%b.com", ""},
		{"space", "a b.com", ""},
		{"circumflex", "a^b.com", ""},
		{"vertical bar", "a|b.com", ""},
		{"full-width slash", "a／b.com", ""},
		{"account-of sign, which maps to a/c", "x℀y.com", ""},
		{"empty", "", ""},
		{"empty label", "a..b", ""},
		{"empty first label", ".a.b", ""},
		{"only dots", "..", ""},
		{"only a soft hyphen", "\u00ad", ""},
		{"Bidi rule", "aא.com", ""},
		{"Bidi label with a number first", "1א.com", ""},
		{"Hebrew", "דוגמה.com", "xn--6dbbec0c.com"},
		{"ACE prefix and nothing", "xn--", ""},
		{"ACE prefix and nothing, in a name", "xn--.com", ""},
		{"A-label of an A-label", "xn--xn---epa", ""},
		{"A-label of an A-label, in a name", "xn--xn--a--gua.pt", ""},
		{"A-label of ASCII", "xn--abc-.com", ""},
		{"A-label that is not Punycode", "xn--a.com", ""},
		{"A-label of a capital", "xn--wca.de", ""},
		{"unassigned", "a\u0378.com", ""},
		{"longer than any name", strings.Repeat("ü", maxHost), ""},

		{"IPv4", "192.168.1.1", "192.168.1.1"},
		{"IPv4, final dot", "192.168.1.1.", "192.168.1.1"},
		{"IPv4, one number", "3232235777", "192.168.1.1"},
		{"IPv4, hexadecimal", "0xC0.0XA8.1.1", "192.168.1.1"},
		{"IPv4, octal", "0300.0250.01.01", "192.168.1.1"},
		{"IPv4, three numbers", "192.168.257", "192.168.1.1"},
		{"IPv4, two numbers", "127.1", "127.0.0.1"},
		{"IPv4, 0x alone", "0x", "0.0.0.0"},
		{"IPv4, full-width", "１２７.０.０.１", "127.0.0.1"},
		{"IPv4, escaped", "%31%32%37.0.0.1", "127.0.0.1"},
		{"IPv4, out of range", "256.1.1.1", ""},
		{"IPv4, five numbers", "1.2.3.4.5", ""},
		{"IPv4, not octal", "08.1.1.1", ""},
		{"name that ends in a number", "example.42", ""},
		{"number with a sign", "1.+1", "1.+1"},
		{"number with a sign before a number", "+1.1", ""},
		{"not a number", "1.1x", "1.1x"},

		{"IPv6", "[2001:DB8:0:0:0:0:0:1]", "[2001:db8::1]"},
		{"IPv6, loopback", "[::1]", "[::1]"},
		{"IPv6 with IPv4", "[::ffff:192.168.1.1]", "[::ffff:c0a8:101]"},
		{"IPv6, first of the longest runs", "[1:0:0:2:0:0:3:4]", "[1::2:0:0:3:4]"},
		{"IPv6, unclosed", "[::1", ""},
		{"IPv6, two runs", "[1::2::3]", ""},
		{"IPv6 with a zone", "[fe80::1%25eth0]", ""},
		{"IPv6, nothing", "[]", ""},
		{"IPv6, name in brackets", "[example.com]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := hostToASCII(tt.host)
			if got != tt.want {
				t.Errorf("hostToASCII(%q) = %q, want %q (%v)", tt.host, got, tt.want, err)
			}
			if (err == nil) != (tt.want != "") {
				t.Errorf("hostToASCII(%q) = %q, %v", tt.host, got, err)
			}
		})
	}
}

// needTables skips a test that maps hosts if the tables of this Go have an older Unicode version.
func needTables(tb testing.TB) {
	tb.Helper()
	if !TablesAgree() {
		tb.Skip("SKIPPED: the tables of this Go are of an older Unicode version")
	}
}

func TestDisplayHost(t *testing.T) {
	needTables(t)
	tests := []struct {
		name, host              string
		unicode, ascii, asTyped string
	}{
		{"ASCII stays as typed", "Example.COM", "Example.COM", "Example.COM", "Example.COM"},
		{"A-label", "xn--bcher-kva.de", "bücher.de", "xn--bcher-kva.de", "xn--bcher-kva.de"},
		{"U-label", "bücher.de", "bücher.de", "xn--bcher-kva.de", "bücher.de"},
		{"capital U-label", "BÜCHER.de", "BÜCHER.de", "xn--bcher-kva.de", "BÜCHER.de"},
		{"ideographic stop", "例え。jp", "例え。jp", "xn--r8jz45g.jp", "例え。jp"},
		{"A-label and U-label", "bücher.XN--P1AI", "bücher.рф", "xn--bcher-kva.xn--p1ai", "bücher.XN--P1AI"},
		{"full-width letters are shown as what they open", "ｅｘ.com", "ex.com", "ex.com", "ｅｘ.com"},
		{"soft hyphen", "exam\u00adple.com", "example.com", "example.com", "example.com"},
		{"escaped", "ex%61mple.com", "example.com", "example.com", "ex%61mple.com"},
		{"no host", "xn--", "xn--", "xn--", "xn--"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for form, want := range map[HostForm]string{HostUnicode: tt.unicode, HostASCII: tt.ascii, HostAsTyped: tt.asTyped} {
				ascii, _ := hostToASCII(tt.host)
				if got := displayHost(tt.host, ascii, form); got != want {
					t.Errorf("form %d of %q = %q, want %q", form, tt.host, got, want)
				}
			}
		})
	}
}

// TestDisplayHostOldTables: if the Unicode versions differ, DisplayHost returns a host beyond ASCII
// unchanged.
func TestDisplayHostOldTables(t *testing.T) {
	if TablesAgree() {
		t.Skip("SKIPPED: the tables of this Go are of the engine's Unicode version")
	}
	for _, host := range []string{"xn--bcher-kva.de", "bücher.de", "FAẞ.de"} {
		for _, form := range []HostForm{HostUnicode, HostASCII, HostAsTyped} {
			ascii, _ := hostToASCII(host)
			if got := displayHost(host, ascii, form); got != host {
				t.Errorf("form %d of %q = %q", form, host, got)
			}
		}
	}
}

// TestOrdinaryHosts: if isOrdinaryHost accepts a host, the general rules make the same ASCII form
// of it. The hosts are made of all characters that those rules look for.
func TestOrdinaryHosts(t *testing.T) {
	const alphabet = "axn-.0_1é%:"
	letters := []rune(alphabet)
	ordinary := 0
	var try func(host string, left int)
	try = func(host string, left int) {
		if isOrdinaryHost(host) {
			ordinary++
			if ascii, err := asciiOfAnyHost(host); err != nil || ascii != host {
				t.Errorf("%q: %q, %v", host, ascii, err)
			}
		}
		if left > 0 {
			for _, letter := range letters {
				try(host+string(letter), left-1)
			}
		}
	}
	try("", 5)
	t.Logf("%d ordinary hosts", ordinary)
	if ordinary < 1000 {
		t.Error("too few to call it tested")
	}
}

// TestASCIIHostIsKnown: detection and ParseLink store the ASCII form of a host that needs UTS #46.
// A reused Link has no ASCII form of an earlier link.
func TestASCIIHostIsKnown(t *testing.T) {
	s, err := New(Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, known string }{
		{"https://bücher.de/ä", "xn--bcher-kva.de"},
		{"bücher.de", "xn--bcher-kva.de"},
		{"joe@bücher.de", "xn--bcher-kva.de"},
		{"https://XN--bcher-kva.de:80/", "xn--bcher-kva.de"},
		{"ＥＸ。com", "ex.com"},
		{"https://example.com/", ""},
		{"example.com", ""},
		{"https://bücher.de./", ""}, // the cache has names without the final dot
		{"http://bü_cher.de/", ""},  // a suspect
	} {
		before := s.Append(nil, "https://é.fr/")
		links := s.Append(before[:0], tt.text)
		if len(links) != 1 || links[0].ascii != tt.known {
			t.Errorf("%s: %+v, want the ASCII host %q", tt.text, links, tt.known)
			continue
		}
		l := links[0]
		if want, _ := hostToASCII(l.host()); l.ASCIIHost() != want {
			t.Errorf("%s: ASCIIHost %q, want %q", tt.text, l.ASCIIHost(), want)
		}
		parsed, err := ParseLink(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := parsed.ASCIIHost(); got != l.ASCIIHost() {
			t.Errorf("%s: ASCIIHost %q when parsed, %q when found", tt.text, got, l.ASCIIHost())
		}
		if n := testing.AllocsPerRun(10, func() { parsed.ASCIIHost() }); n != 0 {
			t.Errorf("%s: ASCIIHost allocates %v times", tt.text, n)
		}
	}
}

// TestNumericTLD: browsers read a host that ends in a number as a broken IPv4 address. It stays
// invalid if the set of top-level domains has that number and the label before is an A-label.
func TestNumericTLD(t *testing.T) {
	set, err := tld.Parse(strings.NewReader("COM\n123\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{TLDs: set})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range s.Append(nil, "http://bücher.123/ http://xn--bcher-kva.123/ http://a.123/") {
		if got := l.ASCIIHost(); got != "" {
			t.Errorf("%s: ASCIIHost %q", l.Text, got)
		}
	}
}
