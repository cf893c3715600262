package engine_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestHiddenHosts: if other programs link a host, or mail programs open it, the scanner finds a
// link or suspect with that host.
func TestHiddenHosts(t *testing.T) {
	for _, tt := range []struct{ text, host string }{
		{"//paypa1。com/login", "paypa1.com"},
		{"http://[paypa1.com]", "paypa1.com"},
		{"http://u@[paypa1.com]:80/x", "paypa1.com"},
		{"x@[paypa1.com]", "paypa1.com"},
		{"http://paypal.com·evil.example.net", "paypal.xn--comevil-xma.example.net"},
		{"paypa¹.com", "paypa1.com"},
		{"ⓟⓐⓨⓟⓐⓛ.com", "paypal.com"},
		{"ⓟaypal.com", "paypal.com"},
		{"www.ｐａｙｐａ１.com", "www.paypa1.com"},
		{"www.example.orghttp://paypa1.com/login", "paypa1.com"},
		{"mailto:x%40paypa1.com", "paypa1.com"},
		{"mailto:" + strings.Repeat("x", 64) + "%40paypa1.com", "paypa1.com"},
		{"e.g مثال№x-y.пример.co.uk", "x-y.xn--e1afmkfd.co.uk"},
		{"goog1e.xn--p1ai‑", "goog1e.xn--p1ai"},
		{"1und1.xn--p1ai‑bar", "1und1.xn--p1ai"},
		{"x.xn--p1ai\u200bx", "x.xn--p1ai"},
		{"Ⅳ192.0.2.1:@<", "192.0.2.1"},
		{"192.0.2.1-1(", "192.0.2.1"},
		{"255.255.255.255.U.S?.", "255.255.255.255"},
		{"paypa1.comⅣ10.0.0.1(", "10.0.0.1"},
		{"Thanksftp://0", "0.0.0.0"},
		{"x1https://2026:", "0.0.7.234"},
		{"пример.devhttp://123456", "0.1.226.64"},
		{"mail@paypa1.com/Https://0x7f.1>", "127.0.0.1"},
		{"mailto:/2026", "0.0.7.234"},
		{"http://?x-y.com./?q=1", "x-y.com"},
		{"https://#a.рф", "a.xn--p1ai"},
		{"ftp://#paypa1.com", "paypa1.com"},
		{"https://:x-y.net/x", "x-y.net"},
		{"http://?'1und1.xn--p1ai/%41", "1und1.xn--p1ai"},
		{"http://?xn--mnchen-3ya@paypa1.com", "paypa1.com"},
		{"https://./münchen@paypa1.みんな", "paypa1.xn--q9jyb4c"},
		{"http://?a.com,b.com", "b.com"},
		{"www.http:1und1.com", "1und1.com"},
		{"www.:http:münchen.xn--p1ai", "xn--mnchen-3ya.xn--p1ai"},
		{"www.7/münchen.mail.dev", "xn--mnchen-3ya.mail.dev"},
		{"www.www.?1und1.com", "1und1.com"},
		{"http://42:-_000", "0.0.0.42"},
		{"https://2026^)-", "0.0.7.234"},
		{"Https://01.02.03.04:www.", "1.2.3.4"},
		{"(@mailto:123456@01.02.03.04", "1.2.3.4"},
		{"@//01.02.03.04", "1.2.3.4"},
		{"https://…/?u=paypa1.com", "paypa1.com"},
		{"paypa1.com\u200c1und1.de", "paypa1.com"},
		{"paypa1.com\u200c1und1.de", "1und1.de"},
		{"раура1.com\u200d1und1.de", "xn--1-7sba6dbr.com"},
		{"goog1e.com.\u200b.пример.1und1.de", "goog1e.com"},
		{"a.co\u200d.paypa1.com№\u200d1und1.de", "paypa1.com"},
		{"paypa1.com。ا1und1.de", "paypa1.com"},
		{"paypa1.com．\u0301example.net", "paypa1.com"},
		{"a.cohttp://www.paypa1.com℡\u200c1und1.de", "www.paypa1.com"},
		{"a.comえ.\u200d1und1.de", "a.com"},
		{"👨\u200dmуbank.org", "xn--mbank-eze.org"},
		{"״mуbank.org״x.com", "xn--mbank-eze.org"},
		{"٣.mуbank.org\u200cx.com", "xn--mbank-eze.org"},
		{"\u200cпауpal.рф", "xn--pal-5cd8eza.xn--p1ai"},
	} {
		checkFound(t, tt.text, tt.host)
	}
}

// checkFound checks that a link or suspect in a text has one of the hosts, in both modes.
func checkFound(t *testing.T, text string, hosts ...string) {
	t.Helper()
	for _, strict := range []bool{true, false} {
		links := newScanner(t, engine.Options{Strict: strict, Suspects: true}).Append(nil, text)
		found := false
		for _, l := range links {
			found = found || slices.Contains(hosts, l.ASCIIHost())
		}
		if !found {
			t.Errorf("strict %t, %s: %s, want %s", strict, text, describe(links), hosts)
		}
	}
}

// TestNumbersBehindWords: a number behind "://" and a word that ends in a scheme has the same
// reason as other numbers that hide an address. A sign may stand beside an address, but the version
// of a library is no address.
func TestNumbersBehindWords(t *testing.T) {
	s := newScanner(t, engine.Options{Suspects: true})
	for _, tt := range []struct{ text, want string }{
		{"Thankshttp://2130706433/x now", "Thanks⸢http://2130706433/x|obfuscated-ip⸣ now"},
		{"a.com/ x1https://127.1: y", "⸠a.com/⸡ x1⸢https://127.1|obfuscated-ip⸣: y"},
		{":10.0.0.1″99999उदाहरण.com", ":⸢10.0.0.1|no-scheme⸣″⸠99999उदाहरण.com⸡"},
		{"see libx.so.192.168.0.1. It", "see ⸢libx.so|touching⸣.192.168.0.1. It"},
		{"tel://110 x-apple-data-detectors://0 xhttp:/8080 v1.2.3.4-5", "⸢tel://110|no-host⸣ ⸢x-apple-data-detectors://0|no-host⸣ xhttp:/8080 v1.2.3.4-5"},
	} {
		if got := mark(s, tt.text); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestHostsBehindNothing: a suspect without a host takes the host that follows it. Text that begins
// with "www." ends before such a host. The parts are those of the link that other programs make.
func TestHostsBehindNothing(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"see http://?example.com:80/x#y, z", "see ⸢http://?example.com:80/x#y|no-host⸣, z"},
		{"http://#a.com b", "⸢http://#a.com|no-host⸣ b"},
		{"http://:80/ www.example.zzzz/a?b=c#d", "⸢http://:80/|no-host⸣ ⸢www.example.zzzz/a?b=c#d|unknown-tld⸣"},
		{"www.example.zzzz/a.com/b c", "⸢www.example.zzzz|unknown-tld⸣/⸢a.com/b|touching⸣ c"},
		{"www.http:a.com/b c", "www.⸢http:a.com/b|slashes⸣ c"},
		{"begins with https://… or http://‥.", "begins with https://… or http://‥."},
		{"(“https://…”, https://...)", "(“https://…”, https://...)"},
		{"https://…で始まるURL", "https://…で始まるURL"},
		{"https://…で始まる。次", "https://…で始まる。次"},
		{"https://…пример。рф", "⸢https://…пример。рф|invalid-host⸣"},
		{"https://…で。paypa1。com/ https://…x。次", "⸢https://…で。paypa1。com/|invalid-host⸣ ⸢https://…x。次|invalid-host⸣"},
		{"地址以https://…开头", "地址以https://…开头"},
		{"https://…-ra kezdődik, URLs wie https://…-Links", "https://…-ra kezdődik, URLs wie https://…-Links"},
		{"https://...で始まる", "https://...で始まる"},
		{"https://…で/a https://…で.example.com https://…x@a.com", "⸢https://…で/a|no-host⸣ ⸢https://…で.example.com|invalid-host⸣ ⸢https://…x@a.com|userinfo⸣"},
		{"http://localhost:3000、または", "⸢http://localhost:3000|single-label⸣、または"},
		{"请看http://localhost:8080，然后", "请看⸢http://localhost:8080|single-label⸣，然后"},
		{"|http://localhost:8080|ä|", "|⸢http://localhost:8080|ä||single-label⸣"},
		{"http://localhost、または", "⸢http://localhost|single-label⸣、または"},
		{"https://…/login https://…?x", "⸢https://…/login|no-host⸣ ⸢https://…?x|no-host⸣"},
		{"https://….example.com/x y", "⸢https://….example.com/x|invalid-host⸣ y"},
		{"https://paypal․com https://…@a.com", "⸢https://paypal․com|invalid-host⸣ ⸢https://…@a.com|userinfo⸣"},
		{"http://42:x@a.com http://42:80 http://1.02.3", "⸢http://42:x@a.com|userinfo⸣ ⸢http://42:80|obfuscated-ip⸣ ⸢http://1.02.3|obfuscated-ip⸣"},
		{"01.02.03.04 a//01.02.03 a@01.02.03.04 //01.02.03.2026", "01.02.03.04 a//01.02.03 a@01.02.03.04 //01.02.03.2026"},
		{"www.-example.com/a.net", "⸢www.-example.com/a.net|hyphen⸣"},
	} {
		for _, strict := range []bool{true, false} {
			if got := mark(newScanner(t, engine.Options{Strict: strict, Suspects: true}), tt.text); got != tt.want {
				t.Errorf("strict %t: got %s, want %s", strict, got, tt.want)
			}
		}
	}
	for _, text := range []string{"http://42^ab", "http://%#42.org", "http://%?x@42.org"} {
		l := newScanner(t, engine.Options{Suspects: true}).Append(nil, text)[0]
		if c := l.Components(); !strings.HasPrefix(c.Host, "42") || c.Port != "" || l.Href() != "" {
			t.Errorf("%+v, %s", c, l.Href())
		}
	}
	l := newScanner(t, engine.Options{Suspects: true}).Append(nil, "http://?'example.com:80/x")[0]
	if c := l.Components(); c.Scheme != "http" || c.Userinfo != "" || c.Host != "example.com" || c.Port != "80" || l.Href() != "" {
		t.Errorf("%+v, %s", c, l.Href())
	}
}

// TestHiddenHostsVaried puts other characters into the texts of TestHiddenHosts.
func TestHiddenHostsVaried(t *testing.T) {
	random := rand.New(rand.NewPCG(46, 1))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	signs := mappedSigns()
	if len(signs) < 100 {
		t.Fatalf("only %d signs", len(signs))
	}
	for range long.Rows(5000, 500) {
		label := pick("paypa1", "goog1e", "a", "x-y", "bücher", "例え", "пример", "उदाहरण")
		dot := pick("。", "．", "｡")
		host := pick("", "www.", "a.b.") + label + "." + pick("com", "org", "co.uk", "рф", "みんな")
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			t.Fatal(err)
		}
		around := pick("%", "see %", "see % now", "(%)", "\n%\n")
		path := pick("", "/login", "/a?b=c", "?x=1")
		put := func(text string) string { return strings.Replace(around, "%", text, 1) }
		wide := strings.ReplaceAll(host, ".", dot)
		checkFound(t, put(pick("//", "///", "x//", "http:", "http:/", `http:\\`, `\\`, "_", "mailto:/")+wide+path), ascii)
		checkFound(t, put(pick("http://", "https://", "ftp://", "http://u@", "http://u:p@")+"["+host+"]"+pick("", ":80")+path), ascii)
		checkFound(t, put(pick("www.", "WWW.", "www.x.")+pick("example", "a", "1")+pick(".org", ".net", ".zzzz", "")+pick("http://", "https://", "ftp://", "HTTP://")+host+path), ascii)
		checkFound(t, put(pick("mailto:", "MAILTO:")+pick("x", "joe.smith", "a+b", "u=1")+"%40paypa1.com"+path), "paypa1.com")
		sign := signs[random.IntN(len(signs))]
		address := pick("192.0.2.1", "10.0.0.1", "1.2.3.255")
		checkFound(t, put(pick("", "©", "x″", ":", "℡", "a.com‑", "Ⅳ")+address+pick("½", "″", "‑?", "-1(", "-000", ".a", ".U.S", "-www.-", "\u2060")), address)
		checkFound(t, put(pick("a", "x1", "пример.dev", "-", "b@a.com/")+pick("http", "Https", "ftp")+pick("://2130706433", "://0x7f.1", "://0177.0.0.1")+pick("", ":", ":80", "/x", "'")), "127.0.0.1")
		checkFound(t, put("paypa1.xn--p1ai"+pick("‑", "‑bar", "\u200bx", "Ⅳ", "\u2060한국어")), "paypa1.xn--p1ai")
		checkFound(t, put(pick("http://", "https://", "FTP://")+pick("?", "#", ":", "./", "?'", "?x@", "#(")+host+path), ascii)
		checkFound(t, put(pick("www.", "WWW.")+pick("http:", "Https:", ":", ":http:", "7/", "www.?", "x#")+host+path), ascii)
		refused := pick("\u200c", "\u200d", "👨\u200d", "״", "׳", "－", "﹣", "@\u0301", "٣.", "\u200c\u0301")
		checkFound(t, put(refused+pick("", "www.")+"mуbank.org"+pick("", ":80")+path), "xn--mbank-eze.org", "www.xn--mbank-eze.org")
		name := pick("paypa", "x", "goo") + string(sign) + ".com"
		if unicode.Is(unicode.So, sign) { // a number may be that of a footnote
			name = pick("", "paypa", "x") + string(sign) + pick("", "l", "1") + ".com"
		}
		if ascii, err := idna.Lookup.ToASCII(name); err == nil {
			checkFound(t, put(name+path), ascii)
		}
	}
}

// mappedSigns returns the signs that UTS #46 maps to letters and digits of ASCII.
func mappedSigns() []rune {
	var signs []rune
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if ucd.HostClassOf(r) != ucd.HostMapped || !unicode.In(r, unicode.No, unicode.So) {
			continue
		}
		if s, err := idna.Lookup.ToASCII(string(r)); err == nil && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == "" {
			signs = append(signs, r)
		}
	}
	return signs
}
