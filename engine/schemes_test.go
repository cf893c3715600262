package engine_test

import (
	"strings"
	"testing"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// someSchemes are schemes of all forms.
var someSchemes = []string{"tel", "SFTP", "xmpp", "matrix", "git+ssh", "ws", "https", "mailto", "magnet"}

// TestFurtherSchemes: Options.Schemes adds the links of further schemes, in order among the others.
// Without the option, the scanner finds none of them.
func TestFurtherSchemes(t *testing.T) {
	for text, want := range map[string]string{
		"tel:+1-201-555-0123.":                      "[url tel:+1-201-555-0123 ]",
		"Tel: 555, tel:, tel:.":                     "",
		"*tel:1* 'sftp://h/a' tel:1…":               "[url tel:1 ][url sftp://h/a h][url tel:1 ]",
		"(TEL:(201)555)":                            "[url TEL:(201)555 ]",
		"sftp://me@files.example.com:22/a b":        "[url sftp://me@files.example.com:22/a files.example.com]",
		"sftp://localhost/x, sftp:// sftp:///":      "[url sftp://localhost/x localhost]",
		"sftp://例え.jp/パス。":                          "[url sftp://例え.jp/パス xn--r8jz45g.jp]",
		"xmpp:alice@example.com?message.":           "[url xmpp:alice@example.com?message ]",
		"matrix:u/alice:example.org?action=chat":    "[url matrix:u/alice:example.org?action=chat ]",
		"git+ssh://host/x xgit+ssh://host/x":        "[url git+ssh://host/x host][suspect xgit+ssh://host ]",
		"ws://example.com/a":                        "[url ws://example.com/a example.com]",
		"xtel:1 9tel:3 é.tel:4 -tel:5 x-tel:6":      "[url tel:3 ][url é.tel:4 xn--9ca.tel][url tel:5 ][url tel:6 ]",
		"https://a.com/?u=tel:1 tel:2":              "[url https://a.com/?u=tel:1 a.com][url tel:2 ]",
		"tel:1,a.com b.com":                         "[url tel:1,a.com ][url b.com b.com]",
		"mailto:a@b.com, tel:1":                     "[email mailto:a@b.com b.com][url tel:1 ]",
		"magnet:?xt=urn:btih:abc&dn=x#y!":           "[url magnet:?xt=urn:btih:abc&dn=x#y ]",
		"tel:tel:tel:1":                             "[url tel:tel:tel:1 ]",
		"joe@example.com and\ntel:1\nand a.com":     "[email joe@example.com example.com][url tel:1 ][url a.com a.com]",
		"unknown:x sftps://a/x":                     "[suspect sftps://a ]",
		"[sftp://[::1]:22/x]":                       "[url sftp://[::1]:22/x [::1]]",
		"http://paypal.com@evil.com/?tel:1":         "[suspect http://paypal.com@evil.com/?tel:1 evil.com]",
		"sftp://paypal.com@evil.com/?a.com":         "[url sftp://paypal.com@evil.com/?a.com evil.com]",
		"\u00e4tel:1":                               "[url tel:1 ]",
		"tel:1" + strings.Repeat("2", 100) + " a.b": "[suspect tel:1" + strings.Repeat("2", 100) + " ]",
	} {
		s := newScanner(t, engine.Options{Schemes: someSchemes, Suspects: true, MaxLinkLen: 100})
		if got := describe(s.Append(nil, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		for l := range newScanner(t, engine.Options{}).All(text) {
			if name := l.Components().Scheme; name != "" && name != "https" && name != "mailto" {
				t.Errorf("%q without the option: %s", text, l.Text)
			}
		}
	}
}

// TestSchemeNames: New refuses what is no name of a scheme, and schemes whose URLs hold code.
func TestSchemeNames(t *testing.T) {
	for _, name := range []string{"", "1a", "a b", "tel:", "a/b", "é", "javascript", "JavaScript", "vbscript", "data"} {
		if _, err := engine.New(engine.Options{Schemes: []string{"tel", name}}); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
}

// TestSchemeHref compares the URLs that links of further schemes open with a parser of the
// WHATWG URL standard.
func TestSchemeHref(t *testing.T) {
	s := newScanner(t, engine.Options{Schemes: someSchemes})
	for _, text := range []string{
		"tel:+1-201-555-0123", "TEL:1", "sftp://me@files.example.com:22/a", "sftp://me:secret@h/a?b#c",
		"sftp://h:/a", "sftp://h", "xmpp:älice@example.com?message;subject=größe#x", "matrix:u/alice:example.org",
		"magnet:?xt=urn:btih:abc&dn='x'y", "sftp://h/größe/{a}|`b`", "sftp://[::1]:22/x", "matrix:a{b}|c%zz", "tel:/a",
	} {
		links := s.Append(nil, text)
		if len(links) != 1 || links[0].Text != text {
			t.Errorf("%q: %s", text, describe(links))
			continue
		}
		want, err := whatwg.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := links[0].Href(); got != want.Href(false) {
			t.Errorf("%q opens %q, want %q", text, got, want.Href(false))
		}
		if got := links[0].Readable(engine.HostUnicode); got != text {
			t.Errorf("%q reads %q", text, got)
		}
	}
}

// TestSchemesAreLinear: a text of many scheme names and colons takes linear time.
func TestSchemesAreLinear(t *testing.T) {
	s := newScanner(t, engine.Options{Schemes: someSchemes, Suspects: true})
	for _, unit := range []string{"tel:", "tel:.", "tel: ", "sftp://", "sftp:///", "tel:1 ", ":", "a.com tel:1,", "1tel:", "tel:(", "tel:1)http://a.com("} {
		start := time.Now()
		text := strings.Repeat(unit, long.Rows(2<<20, 1<<19)/len(unit))
		s.Append(nil, text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q: %s for %d bytes", unit, took, len(text))
		}
	}
}
