package engine_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestHostsThatGoOn: each text is one suspect with the host that a browser would open, alone and in
// a sentence, in both modes.
func TestHostsThatGoOn(t *testing.T) {
	for _, tt := range []struct{ text, host string }{
		// Behind a final dot.
		{"https://paypal.com._login.evil.com/signin", "paypal.com._login.evil.com"},
		{"https://paypal.com.__login.evil.com", "paypal.com.__login.evil.com"},
		{"https://paypal.com。_login.evil.com/", "paypal.com._login.evil.com"},
		{"https://paypal.com．_login.evil.com/", "paypal.com._login.evil.com"},
		{"https://paypal.com｡_login.evil.com/", "paypal.com._login.evil.com"},
		{"https://paypal.com._login", "paypal.com._login"},
		{"https://paypal.com.\u00ad_evil.com/", "paypal.com._evil.com"},
		{"https://paypal.com\u200b._evil.com/", "paypal.com._evil.com"},
		{"https://paypal.com\u00ad_evil.com/", "paypal.com_evil.com"},
		{"https://paypal.com.%6c.evil.com/", "paypal.com.l.evil.com"},
		{"https://paypal.com.%6c/", "paypal.com.l"},
		{"https://paypal.com.+x.evil.com/", "paypal.com.+x.evil.com"},
		{"https://paypal.com.!x.evil.com", "paypal.com.!x.evil.com"},
		{"paypal.com._login.evil.com", "paypal.com._login.evil.com"},
		{"paypal.com._login", "paypal.com._login"},
		{"paypal.com。_login.evil.com/a", "paypal.com._login.evil.com"},
		{"paypal.com.+x.evil.com", "paypal.com.+x.evil.com"},
		{"joe@example.com._evil.com", "example.com._evil.com"},
		{"joe@example.com.%65vil.com", "example.com.evil.com"},
		{"mailto:joe@example.com._evil.com", "example.com._evil.com"},
		{"http://1.2.3.4._evil.com/", "1.2.3.4._evil.com"},
		// Before "@".
		{"http://example.com（@evil.com/", "evil.com"},
		{"http://example.com，@evil.com/a", "evil.com"},
		{"http://example.com^@evil.com", "evil.com"},
		{`http://example.com"@evil.com/`, "evil.com"},
		{"http://example.com[@evil.com/", "evil.com"},
		{"http://example.com|@evil.com/", "evil.com"},
		{"http://example.com:80（@evil.com", "evil.com"},
		{"http://example.com:「x」@evil.com:80/", "evil.com"},
		{"http://example.com%20%28@evil.com/", "evil.com"},
		{"http://example.com,joe@example.org", "example.org"},
		{"http://example.com（@evil.com（x.evil.org/", "evil.com(x.evil.org"},
		{"http://localhost（@evil.com/", "evil.com"},
		{"http://a（@b（@evil.com/", "evil.com"},
		{"http://example.com（@[::1]/", "[::1]"},
		{"http://example.com\ue000@evil.com/", "evil.com"},
		// Behind what UTS #46 allows.
		{"https://paypal.com+x.evil.com/", "paypal.com+x.evil.com"},
		{"https://paypal.com(x.evil.com", "paypal.com(x.evil.com"},
		{"https://paypal.com（x.evil.com/", "paypal.com(x.evil.com"},
		{`https://paypal.com"x.evil.com/`, `paypal.com"x.evil.com`},
		{"https://paypal.com+x.evil.com)/a", "paypal.com+x.evil.com)"},
		{"https://paypal.com+x.evil.example/", "paypal.com+x.evil.example"},
		{"https://paypal.com+x%2eevil%2ecom/", "paypal.com+x.evil.com"},
		{"https://paypal.com+x。evil。com:80/", "paypal.com+x.evil.com"},
		{"https://paypal.com+x.evil.中国/", "paypal.com+x.evil.xn--fiqs8s"},
		{"https://a.com,b.com", "a.com,b.com"},
		{"http://1.2.3.4+x.evil.com/", "1.2.3.4+x.evil.com"},
		{"paypal.com+x.evil.com", "paypal.com+x.evil.com"},
		{"paypal.com(x.evil.com:80/a?b#c", "paypal.com(x.evil.com"},
		{"paypal.com+x.evil.com./a", "paypal.com+x.evil.com."},
		{"paypal.com＋x.evil.ｃｏｍ", "paypal.com+x.evil.com"},
		{"joe@paypal.com+x.evil.com", "paypal.com+x.evil.com"},
		{"MAILTO:joe@paypal.com＝x.evil.com", "paypal.com=x.evil.com"},
		{"www.paypal.com~x.evil.com", "www.paypal.com~x.evil.com"},
	} {
		for _, strict := range []bool{true, false} {
			for _, frame := range []string{"%", "see (%), really", "<%>", "%\n"} {
				text := strings.Replace(frame, "%", tt.text, 1)
				links := newScanner(t, engine.Options{Strict: strict, Suspects: true}).Append(nil, text)
				if len(links) != 1 || links[0].Kind != engine.KindSuspect || links[0].Text != tt.text || links[0].ASCIIHost() != tt.host {
					t.Errorf("strict %t, %s: %s, want one suspect with the host %s", strict, text, describe(links), tt.host)
				}
				if links := newScanner(t, engine.Options{Strict: strict}).Append(nil, text); len(links) != 0 {
					t.Errorf("strict %t, %s, no suspects wanted: %s", strict, text, describe(links))
				}
			}
		}
	}
}

// describe returns kind, text and host of each link.
func describe(links []engine.Link) string {
	var b strings.Builder
	for _, l := range links {
		b.WriteString("[" + l.Kind.String() + " " + l.Text + " " + l.ASCIIHost() + "]")
	}
	return b.String()
}

// TestTextBehindHosts: a host ends before the text of a sentence.
func TestTextBehindHosts(t *testing.T) {
	for _, d := range []detection{
		{name: "final dot", strict: "⸠paypal.com⸡. Next ⸠https://paypal.com⸡."},
		{name: "Markdown behind a final dot", strict: "_See ⸠paypal.com⸡._ and ⸠https://paypal.com⸡.__"},
		{name: "quotation marks", strict: "\"⸠https://example.com⸡\".Then '⸠https://a.com⸡'. \"⸠https://example.com⸡.\"Then"},
		{name: "brackets", strict: "(⸠https://example.com⸡)more (⸠https://example.com⸡.)Then"},
		{name: "a list of URLs", strict: "⸠https://a.com⸡,⸠https://b.com⸡;⸠https://c.com⸡"},
		{name: "comma", strict: "⸠https://a.com⸡, b ⸠a.com⸡,b ⸠https://a.com⸡,b"},
		{name: "exclamation mark", strict: "⸠https://a.com⸡!Great ⸠a.com⸡!Great."},
		{name: "a list of hosts", strict: "⸠a.com⸡,⸠b.com⸡,⸠c.com⸡ ⸠a.com⸡;⸠b.com⸡ \"⸠a.com⸡\",\"⸠b.com⸡\" '⸠a.com⸡','⸠b.com⸡' Joe,⸠joe@a.com⸡,⸠b.com⸡,1"},
		{name: "apostrophe", strict: "⸠https://example.com⸡'s ⸠example.com⸡'s"},
		{name: "semicolon", strict: "see ⸠https://example.com⸡;then"},
		{name: "numbers", strict: "⸠https://example.com⸡(1.2) ⸠example.com⸡+3.14"},
		{name: "an abbreviation, bare host", strict: "⸠example.com⸡(e.g. this) ⸠joe@example.com⸡(e.g. this)"},
		{name: "Markdown link", strict: "[⸠https://a.com⸡](⸠https://b.com⸡) [⸠https://a.com⸡](⸠b.com⸡) [⸠a.com⸡](⸠b.com⸡)"},
		{name: "table", strict: "|⸠a.com⸡|⸠b.com⸡| ⸠joe@a.com⸡|⸠b.com⸡|"},
		{name: "address in angle brackets", strict: `"⸠http://example.com⸡" <⸠joe@example.com⸡>`},
		{name: "address in angle brackets, no space", strict: `⸠http://example.com⸡<⸠joe@example.com⸡>`},
		{name: "at sign in a path", strict: "⸠http://example.com/path@x⸡"},
		{name: "list of addresses", strict: "⸠joe@a.com⸡,⸠ann@b.com⸡;⸠ann.me@c.com⸡ ⸠mailto:a@b.com⸡,⸠c.de@d.com⸡"},
		{name: "percent sign", strict: "⸠https://example.com⸡+5% ⸠example.com⸡+5%, ⸠example.com⸡.% ⸠example.com⸡(100%25)"},
		{name: "Chinese with a scheme", strict: "⸠https://a.com⸡，⸠https://b.com⸡（一）"},
		{name: "Chinese, bare hosts", strict: "⸠a.com⸡，⸠b.com⸡（⸠c.com⸡）；⸠joe@a.com⸡，⸠d.com⸡"},
		{name: "ideographic comma", strict: "⸠a.com⸡、⸠b.com⸡"},
		{name: "Chinese sentence", strict: "http://example.com。然後", normal: "⸠http://example.com⸡。然後"},
		{name: "behind a port", strict: "⸠http://a.com:80⸡,⸠b.com:90⸡"},
		{name: "backslash", strict: `⸠http://example.com⸡\x.evil.com`},
		{name: "a host may begin behind a symbol", strict: "x+⸠paypal.com⸡ =⸠paypal.com⸡"},
	} {
		d.run(t)
	}
}

// mapped returns each character that UTS #46 maps to an ASCII character that no label may have,
// with that ASCII character. It also has these ASCII characters themselves.
func mapped() map[rune]rune {
	profile := idna.New(idna.MapForLookup(), idna.StrictDomainName(false))
	chars := make(map[rune]rune)
	for r := rune('!'); r < 0x7f; r++ {
		chars[r] = r
	}
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if 0xff01 <= r && r <= 0xff5e {
			chars[r] = r - 0xff01 + '!'
		} else if s, err := profile.ToUnicode("a" + string(r) + "b"); err == nil && len(s) == 3 && s[1] < utf8.RuneSelf {
			chars[r] = rune(s[1])
		}
	}
	return chars
}

// The characters that end the rest of a host: always, and only without a scheme.
const (
	endsRest     = `/?#\:<>[]`
	endsBareRest = "@|,;！（），：；？"
)

// TestEveryCharacterBehindHosts puts every character of ASCII, and all that UTS #46
// maps to one, behind a host, behind its final dot, and before an "@".
func TestEveryCharacterBehindHosts(t *testing.T) {
	chars := mapped()
	if len(chars) < 94+94+60 {
		t.Fatalf("only %d characters", len(chars))
	}
	for _, strict := range []bool{true, false} {
		s := newScanner(t, engine.Options{Strict: strict, Suspects: true})
		for r, ascii := range chars {
			c := string(r)
			for _, prefix := range []string{"https://", "", "joe@", "mailto:joe@"} {
				url := prefix == "https://"
				isRefused := url && strings.ContainsRune("/?#@:%<>^|[]\\", ascii) // by browsers
				ends := isRefused || ucd.LinkTermOf(r) == ucd.Hard || strings.Contains(endsRest, c) || !url && strings.Contains(endsBareRest, c)
				for _, dot := range []string{"", ".", "。", "．", "｡"} {
					for _, rest := range []string{"x.evil.com", "x.evil.com/a", "x-1.evil.co.uk:80/a"} {
						text := prefix + "paypal.com" + dot + c + rest
						links := s.Append(nil, text)
						if !ends {
							checkNoPrefix(t, strict, text, links)
						}
						// Browsers refuse a host with characters that they map to syntax.
						if url && ascii != '\\' && (r == ascii || !strings.ContainsRune("/?#@:", ascii)) {
							checkBrowser(t, strict, text, prefix+"paypal.com"+dot+string(ascii)+rest, links)
						}
					}
				}
			}
			text := "http://paypal.com" + c + "@evil.com/"
			if links := s.Append(nil, text); !strings.Contains("/?#<>", c) && !ucd.IsWhiteSpace(r) && r != '\\' {
				if len(links) != 1 || links[0].Kind != engine.KindSuspect || links[0].ASCIIHost() != "evil.com" || links[0].Text != text {
					t.Errorf("strict %t, %q (%U): %s", strict, text, r, describe(links))
				}
			}
		}
	}
}

// TestCharactersThatEndLinks: some characters end a link, but UTS #46 allows them in a host, or
// WHATWG URL in userinfo. Such a character does not end a host, since browsers read on.
func TestCharactersThatEndLinks(t *testing.T) {
	inHost, inUserinfo := 0, 0
	for _, strict := range []bool{true, false} {
		s := newScanner(t, engine.Options{Strict: strict, Suspects: true})
		check := func(text, host string) {
			if links := s.Append(nil, text); len(links) != 1 || links[0].Kind != engine.KindSuspect || links[0].Text != text || links[0].ASCIIHost() != host {
				t.Errorf("strict %t, %q: %s, want one suspect with the host %q", strict, text, describe(links), host)
			}
		}
		for r := rune(0); r <= utf8.MaxRune; r++ {
			if !utf8.ValidRune(r) || ucd.LinkTermOf(r) != ucd.Hard || ucd.IsWhiteSpace(r) {
				continue
			}
			if r < utf8.RuneSelf && !strings.ContainsRune("<>", r) {
				inUserinfo++
				check("http://paypal.com"+string(r)+"@evil.com/", "evil.com")
				check("http://paypal.com:80"+string(r)+"x@evil.com", "evil.com")
			}
			if ucd.HostClassOf(r) == ucd.HostDisallowed || r < utf8.RuneSelf {
				continue
			}
			inHost++
			for _, prefix := range []string{"https://", "", "joe@", "mailto:joe@"} {
				if prefix != "https://" && unicode.Is(unicode.Khmer, r) { // text without spaces
					continue
				}
				if prefix == "https://" && unicode.Is(unicode.Arabic, r) { // browsers refuse it in such a label
					continue
				}
				for _, text := range []string{"paypal.com*" + string(r) + "x.evil.com/", "paypal.com.+" + string(r) + "x.xn--e1awd7f.com"} {
					checkNoPrefix(t, strict, prefix+text, s.Append(nil, prefix+text))
				}
			}
		}
	}
	if t.Logf("%d in a host, %d in userinfo", inHost, inUserinfo); inHost < 28 || inUserinfo < 50 {
		t.Error("too few characters")
	}
}

// checkNoPrefix checks that no link has only the first part of a host as its host.
func checkNoPrefix(t *testing.T, strict bool, text string, links []engine.Link) {
	t.Helper()
	for _, l := range links {
		if host := l.ASCIIHost(); l.Kind != engine.KindSuspect && strings.HasPrefix(host, "paypal.com") && !strings.Contains(host, ".evil.co") {
			t.Errorf("strict %t, %q: %s", strict, text, describe(links))
		}
	}
}

// checkBrowser checks that the first link or suspect of a text has the host that a browser opens.
// typed is the text in ASCII: browsers map some characters to ASCII that the URL parser of this
// test refuses.
func checkBrowser(t *testing.T, strict bool, text, typed string, links []engine.Link) {
	t.Helper()
	u, err := whatwg.Parse(typed)
	if err != nil || strings.Contains(u.Hostname(), "..") {
		return
	}
	if len(links) == 0 || links[0].Start != 0 || links[0].Kind == engine.KindSuspect && links[0].End != len(text) || links[0].ASCIIHost() != u.Hostname() {
		t.Errorf("strict %t, %q: %s, browsers open %s", strict, text, describe(links), u.Hostname())
	}
}

// hostLike matches text behind a host that makes the host longer, up to a path or colon.
var hostLike = regexp.MustCompile(`^[^/?#\\:]*([\w-]\.[A-Za-z]|%[0-9A-Fa-f]{2}|@)|^\.+_+[A-Za-z0-9-]`)

// mayOpen reports whether the DNS may have the host: its last label is a top-level domain, or a
// reserved one such as example, or rest begins with a path, query or fragment.
func mayOpen(host, rest string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return !strings.Contains(host, "..") && tld.Builtin().Contains(last) || strings.ContainsAny(rest, "/?#") && strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") == ""
}

// TestBrowsersOpenWhatIsFound: whatever follows "https://paypal.com", the scanner finds the host
// that the URL parser finds, unless what follows cannot be part of a host.
func TestBrowsersOpenWhatIsFound(t *testing.T) {
	pieces := []string{
		"x", "evil", "com", "org", "7", ".", ".", ".", "-", "_", "+", "(", ")", "!", "\"", "'", ",", ";", "=", "&", "*", "$", "`", "{", "}", "~",
		"%6c", "%2e", "%", "@", ":", ":80", "/", "?", "#", "“", "–", "é", ".com", "x.evil.com",
	}
	scanners := []*engine.Scanner{
		newScanner(t, engine.Options{Strict: true, Suspects: true}),
		newScanner(t, engine.Options{Suspects: true}),
	}
	random := rand.New(rand.NewPCG(46, 58))
	links, suspects := 0, 0
	texts := long.Rows(20000, 2000)
	for range texts {
		text := "https://paypal.com"
		for range 1 + random.IntN(7) {
			text += pieces[random.IntN(len(pieces))]
		}
		u, err := whatwg.Parse(text)
		if err != nil {
			continue
		}
		for _, s := range scanners {
			found := s.Append(nil, text)
			if len(found) == 0 || found[0].Start != 0 {
				t.Errorf("%q: %s, browsers open %s", text, describe(found), u.Hostname())
				continue
			}
			if found[0].Kind == engine.KindSuspect {
				suspects++
				continue
			}
			links++
			rest := text[len("https://")+len(found[0].Components().Host):]
			if strings.Contains("."+strings.TrimRight(u.Hostname(), ".")+".", "..") || strings.HasSuffix(u.Hostname(), "..") {
				continue // no DNS has a name with an empty label
			}
			if found[0].ASCIIHost() != u.Hostname() && hostLike.MatchString(rest) && mayOpen(u.Hostname(), rest) {
				t.Errorf("%q: %s, browsers open %s", text, describe(found), u.Hostname())
			}
		}
	}
	if t.Logf("%d links, %d suspects", links, suspects); links < texts/10 || suspects < texts/10 {
		t.Errorf("only %d links and %d suspects", links, suspects)
	}
}
