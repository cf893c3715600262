package engine_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
)

// suspects are texts that other programs link and this package does not, each with the reason.
var suspects = []struct {
	text   string
	reason engine.Reason
}{
	{"http://paypal.com@evil.example/login", engine.ReasonUserinfo},
	{"http://paypal.com:443@evil.example.com/login", engine.ReasonUserinfo},
	{"https://user:pass@example.com/", engine.ReasonUserinfo},
	{"https://user@example.com", engine.ReasonUserinfo},
	{"https://@example.com/", engine.ReasonUserinfo},
	{"http://www.paypal.com%20@evil.example.com/", engine.ReasonUserinfo},
	{"http://paypal.com,login@evil.example.com", engine.ReasonUserinfo},
	{"http://a@b@example.com/", engine.ReasonUserinfo},
	{"http://paypal.com;x=1@evil.example.com/", engine.ReasonUserinfo},
	{"ftp://anonymous@example.com/pub", engine.ReasonUserinfo},
	{"http://пейпал@example.com/", engine.ReasonUserinfo},
	{"HTTPS://PAYPAL.COM@EXAMPLE.COM", engine.ReasonUserinfo},
	{"http://paypal.com@192.168.0.1/", engine.ReasonUserinfo},
	{"http://paypal.com@[::1]/", engine.ReasonUserinfo},
	{`http://example.com\@evil.example.org/`, engine.ReasonUserinfo},
	{"https://paypal.com.verify.zzzz/", engine.ReasonUnknownTLD},
	{"http://example.zzzz", engine.ReasonUnknownTLD},
	{"http://example.a", engine.ReasonUnknownTLD},
	{"http://router.local/admin", engine.ReasonUnknownTLD},
	{"http://example.com-login/", engine.ReasonUnknownTLD},
	{"http://example.мышь/", engine.ReasonUnknownTLD},
	{"http://example.xn--zzzzzz/", engine.ReasonUnknownTLD},
	{"www.example.zzzz", engine.ReasonUnknownTLD},
	{"www.example.zzzz/a?b=c#d", engine.ReasonUnknownTLD},
	{"WWW.EXAMPLE.ZZZZ", engine.ReasonUnknownTLD},
	{"http://pay_pal.example.zzzz", engine.ReasonUnderscore},
	{"http://_dmarc.example-.com/", engine.ReasonUnderscore},
	{"http://example.com_login/", engine.ReasonUnderscore},
	{"http://paypal.com..evil.com/x", engine.ReasonEmptyLabel},
	{"http://.example.com/", engine.ReasonEmptyLabel},
	{"http://example.com../x", engine.ReasonEmptyLabel},
	{"http://example。。com/x", engine.ReasonEmptyLabel},
	{"www..example.com/x", engine.ReasonEmptyLabel},
	{"www.example..com", engine.ReasonEmptyLabel},
	{"http://0x7f.1/", engine.ReasonObfuscatedIP},
	{"http://2130706433/", engine.ReasonObfuscatedIP},
	{"http://017700000001/", engine.ReasonObfuscatedIP},
	{"http://0xc0.0xa8.0x0.0x1/", engine.ReasonObfuscatedIP},
	{"http://192.168.257/", engine.ReasonObfuscatedIP},
	{"http://192.168.010.001/", engine.ReasonObfuscatedIP},
	{"http://１９２.168.0.1/", engine.ReasonObfuscatedIP},
	{"http://192。168。0。1/", engine.ReasonObfuscatedIP},
	{"http://①②⑦.0.0.1/", engine.ReasonObfuscatedIP},
	{"http://192.168.0.256/", engine.ReasonInvalidIP},
	{"http://1.2.3.4.5/", engine.ReasonInvalidIP},
	{"http://99999999999/", engine.ReasonInvalidIP},
	{"http://[::1/", engine.ReasonInvalidIP},
	{"http://[1:2:3]/", engine.ReasonInvalidIP},
	{"http://[fe80::1%25eth0]/", engine.ReasonInvalidIP},
	{"http://localhost/", engine.ReasonSingleLabel},
	{"http://localhost:8080/a", engine.ReasonSingleLabel},
	{"http://intranet", engine.ReasonSingleLabel},
	{"http://-example.com/", engine.ReasonHyphen},
	{"http://example-.com/", engine.ReasonHyphen},
	{"www.-example.com", engine.ReasonHyphen},
	{"http://" + strings.Repeat("a", 64) + ".com/", engine.ReasonTooLong},
	{"http://" + strings.Repeat("abcdefg.", 32) + "com/", engine.ReasonTooLong},
	{"http://" + strings.Repeat("ü", 60) + ".de/", engine.ReasonTooLong},
	{"http://xn--99999999.com/", engine.ReasonInvalidIDNA},
	{"http://xn--.com/", engine.ReasonHyphen},
	{"http://xn--xn--a--gua.pt/", engine.ReasonInvalidIDNA},
	{"http://xn--example-.com/", engine.ReasonHyphen},
	{"http://pay\u200dpal.com/", engine.ReasonInvalidIDNA},
	{"http://aא.com/", engine.ReasonInvalidIDNA},
	{"http://\u0301example.com/", engine.ReasonInvalidIDNA},
	{"www.aא.com", engine.ReasonInvalidIDNA},
	{"http://example.com%2f@x", engine.ReasonUserinfo},
	{"http://example.com%2e/", engine.ReasonInvalidHost},
	{"http://exa%6dple.com/", engine.ReasonInvalidHost},
	{"http://example.com:65536/", engine.ReasonInvalidPort},
	{"http://example.com:80a/", engine.ReasonInvalidPort},
	{"http:///example.com/", engine.ReasonSlashes},
	{"http://?example.com", engine.ReasonNoHost},
	{"http://:80/", engine.ReasonNoHost},
}

// TestSuspects: the scanner finds each suspect whole, alone and inside a sentence, in both modes.
// Without Options.Suspects it finds none.
func TestSuspects(t *testing.T) {
	if len(suspects) < 60 {
		t.Fatalf("only %d suspects", len(suspects))
	}
	for _, tt := range suspects {
		t.Run(tt.text, func(t *testing.T) {
			for _, strict := range []bool{true, false} {
				with := newScanner(t, engine.Options{Strict: strict, Suspects: true})
				without := newScanner(t, engine.Options{Strict: strict})
				for _, frame := range []string{"%", "see (%), really", "<%>", "%\n", "\"%\".", "%!"} {
					text := strings.Replace(frame, "%", tt.text, 1)
					want := strings.Replace(frame, "%", "⸢"+tt.text+"|"+string(tt.reason)+"⸣", 1)
					if got := mark(with, text); got != want {
						t.Errorf("strict %t:\n got %s\nwant %s", strict, got, want)
					}
					if got := mark(without, text); got != text {
						t.Errorf("strict %t, no suspects wanted: %s", strict, got)
					}
				}
			}
		})
	}
}

// TestSuspectComponents: Components returns the userinfo, host and port of a suspect.
func TestSuspectComponents(t *testing.T) {
	tests := []struct{ text, userinfo, host, port string }{
		{"http://user:pw@host.de:80/x", "user:pw", "host.de", "80"},
		{"http://user@host.de/x", "user", "host.de", ""},
		{"http://user:pw@host.de", "user:pw", "host.de", ""},
		{"http://a@b@host.de:1", "a@b", "host.de", "1"},
		{"http://localhost:8080/", "", "localhost", "8080"},
		{"http://example.com:65536/", "", "example.com", "65536"},
		{"http://example.com:80a/", "", "example.com", "80a"},
		{"http://localhost:8080|ä/", "", "localhost", "8080|ä"},
		{"http://user@[::1]:80/", "user", "[::1]", "80"},
		{"http://user@[::1]/", "user", "[::1]", ""},
		{"http://user@2001:db8::1/", "user", "2001:db8::1", ""},
		{"http://user@/x", "user", "", ""},
		{`http://evil.example\@host.de/x`, "", "evil.example", ""},
		{`http://user@evil.example:81\@host.de`, "user", "evil.example", "81"},
		{"www.example.zzzz:80/", "", "www.example.zzzz", "80"},
	}
	s := newScanner(t, engine.Options{Suspects: true})
	for _, tt := range tests {
		links := s.Append(nil, tt.text)
		if len(links) != 1 || links[0].Kind != engine.KindSuspect || links[0].Text != tt.text {
			t.Errorf("%s: %+v", tt.text, links)
			continue
		}
		c := links[0].Components()
		if c.Userinfo != tt.userinfo || c.Host != tt.host || c.Port != tt.port {
			t.Errorf("%s: userinfo %q, host %q, port %q", tt.text, c.Userinfo, c.Host, c.Port)
		}
	}
}

// TestNoSuspects: links, and texts that no program would link, are no suspects.
func TestNoSuspects(t *testing.T) {
	s := newScanner(t, engine.Options{Suspects: true})
	for _, text := range []string{
		"http:// is a scheme",
		"the scheme http://",
		"www. and www and www...",
		"we wwwrote www.",
		"foo.zzzz and report.html",
		"example..com",
		"joe@example.zzzz",
		"www.foo1_bar@example.zzzz",
		"192.168.0.256",
		"awww.example.zzzz",
	} {
		if got := mark(s, text); got != text {
			t.Errorf("got %s", got)
		}
	}
	for _, marked := range []string{
		"⸠http://example.com⸡ ⸠www.example.com⸡ ⸠joe@example.com⸡",
		"⸠www.foo_bar@example.com⸡",
		"⸢http://localhost/|single-label⸣, ⸠example.com⸡ ⸢www.example.zzzz|unknown-tld⸣",
	} {
		text := suspectUnmarker.Replace(marked)
		if got := mark(s, text); got != marked {
			t.Errorf("\n got %s\nwant %s", got, marked)
		}
	}
}

var suspectUnmarker = strings.NewReplacer("⸠", "", "⸡", "", "⸢", "", "⸣", "", "|single-label", "", "|unknown-tld", "")

// TestSuspectsByScheme: other programs link a host without a top-level domain because of the scheme
// before it, or because they take its last label for a top-level domain.
func TestSuspectsByScheme(t *testing.T) {
	s := newScanner(t, engine.Options{Suspects: true})
	for text, want := range map[string]string{
		"see file:///etc/hosts now": "[suspect file:///etc ]",
		"smb://server/share":        "[suspect smb://server ]",
		"steam://42":                "[suspect steam://42 ]",
		"ssh://_a.b_":               "[suspect ssh://_a.b ]",
		"seehttp://localhost:80/x":  "[suspect http://localhost localhost]",
		"mailto:joe@foo":            "[suspect mailto:joe@foo foo]",
		"joe@server.local, x":       "[suspect joe@server.local server.local]",
		"//host.test/x":             "[suspect host.test host.test]",
		"foo.localhost/x":           "[suspect foo.localhost foo.localhost]",
		"foo.local":                 "",
		"http;//[::1]:80/":          "[suspect [::1] [::1]]",
		"//I❤.com/x":                "[suspect I❤.com/x xn--i-7iq.com]",
		"www.paypa1.com:443x/":      "[suspect www.paypa1.com:443x/ www.paypa1.com]",
		"steam://a.example.com/":    "[suspect a.example.com/ a.example.com]",
		"at http:// and https://…":  "",
	} {
		if got := describe(s.Append(nil, text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
