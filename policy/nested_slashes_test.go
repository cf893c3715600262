package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestHostsBesideSlashes: other programs link hosts in the local-part of an address, and in the
// path of a suspect without a host. The judge judges these hosts.
func TestHostsBesideSlashes(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{Block: []string{".bad.example.org"}})
	worst := func(text string) policy.Severity {
		worst := policy.SeverityNone
		for _, l := range scanner.Append(nil, "see "+text+" now") {
			worst = max(worst, j.Link(l).Worst())
		}
		return worst
	}
	for _, text := range []string{
		"//12.34/x@y.example.org", "http:/12.34/x@y.example.org", "//paypa1.com/login/x@y.example.org", "///www.paypa1.com/x@y.example.org", "http:/paypa1.com/x@y.example.org", `\\.\www.paypa1.com/login/x@y.example.org`,
		"{//paypa1.com/login@y.example.org", "|//x.bad.example.org/a@y.example.org", "http://.//paypa1.com/login", "http://_//paypa1.com", "www.smb://paypa1.com/x",
		`http://http:/\www.paypa1.com/login`, "ftp://http:/www.paypa1.com/login", "http://.//x.bad.example.org", "http://?x@paypa1.com/y", "ftp://?x=/www.paypa1.com/login",
		"http://?x=/y.bad.example.org#abc", "http://_/" + strings.Repeat("a.b/", 30) + "?u=https://paypa1.com/login",
	} {
		if worst(text) < policy.SeverityHigh {
			t.Errorf("%s: only %s", text, worst(text))
		}
	}
	for _, text := range []string{"12.34/office@example.com", "040.123456/info@example.com", "030/12.34.56/info@example.com", "/C=DE/O=example.com/S=Li@gate.example.org", "a/b.c@example.org", "http://wiki/www.example.com/page.html", "//www.paypal.com/x@paypal.com", "http://localhost//index.php"} {
		if worst(text) >= policy.SeverityMedium {
			t.Errorf("%s: %s", text, worst(text))
		}
	}
}

// TestHostsAtBreaks: other programs end a link at some characters, and link a host beside them: in
// a local-part, beside an "@", before letters of another script, and behind an address or a host
// that they do not link. The judge judges these hosts.
func TestHostsAtBreaks(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{})
	worst := func(text string) policy.Severity {
		worst := policy.SeverityNone
		for _, l := range scanner.Append(nil, text) {
			worst = max(worst, j.Link(l).Worst())
		}
		return worst
	}
	for _, text := range []string{
		"x(HTTP:paypa1.com`info@example.org", "http:paypa1.com^info@example.org", "]paypa1.com&info@example.org", "http:goog1e.com#info@example.org", "a.co;www.paypa1.com@३．пример.рф",
		"@paypa1.comßinfo@example.org", "http://example.com/x<．goog1e.com@Ꭰhttp", "a.co/․paypa1.com@.例え.jp", "192.0.2.1#goog1e.com𐐀/", "192.0.2.1/<paypa1.com々•ʼx", "192.0.2.1?•．paypa1.com例",
		"example.net｡//paypa1.com한%Ⅳ", "例え.jp.//goog1e.comß😀々", "ⅷ.net?//paypa1.com", "ftps://Ꭰ.de?//paypa1.com", "example.net?a=x??paypa1.com/a",
		"ⓐpaypa1.comⓐa.co", "192.0.2.1?HTTP:goog1e.com.192.0.2.1", "a.co｡//goog1e.com.http://example.com/x", "http://example.com/x;\"u@goog1e.com.._1und1.de",
		"www.example.org:443a,paypa1.com", "http://www.example.org:443a,paypa1.com", "www.example.org:80pm;paypa1.com/x", "www.example.org:8p:paypa1.com", "http://example.org:443a/paypa1.com",
		"http://server.:,paypa1.com", "http://example.:*paypa1.com", "http://e.:–paypa1.com", "http://server:8,paypa1.com", "http://server:8x–paypa1.com",
		"/e\u0301paypa1.com", "/cafe\u0301paypa1.com", "@e\u0301paypa1.com", "http://cafe\u0301paypa1.com/", "x@o\u0308.paypa1.com", "\u0301goog1e.com", "\u200cüpaypa1.com", "״üwww.paypa1.com/x",
		"paypa1.com→example.org", "example.org→paypa1.com", "paypa1.com│example.org", "www.paypa1.com👉example.org",
		"http://example.org/|paypa1.com", "http://example.org/x^goog1e.com", "example.org?q=1|www.paypa1.com",
		`http://"paypa1.com@x`, `http://paypa1.com"@x`, `http://example.com"o@example.com/paypa1.com`, `http://a"b.paypa1.com@example.com/`, `http://paypa1.com{x@example.com/`,
		"goog1e.com@s.xn--fiqs8s", "paypa1.com@example.xn--p1ai", "www.paypa1.com@example.XN--P1AI.",
		"http://[2001:db8::1]/.paypa1.com", "http://[2001:db8::1]/,paypa1.com", "https://[2001:db8::1]:80/?x,paypa1.com", "пример.рф:80#paypa1.com", "пример.рф:80/,paypa1.com", "e.onion/,paypa1.com", "e.onion#paypa1.com",
	} {
		if worst(text) < policy.SeverityMedium {
			t.Errorf("%s: only %s", text, worst(text))
		}
	}
	for _, text := range []string{
		"bounce+anna=example.de@example.org", "john.doe+news@example.org", "x#paypal.com@example.org", "192.0.2.1/a.b.co", "http://пример.рф/a@b.com", "https://example.net/@anna@example.com", "müller.name@example.de",
		"http://example.org:80a/index.html", "www.example.org:80pm, example.net", "/cafe\u0301.example.com", "http://mu\u0308ller.de", "https://ba\u0301nh-mi\u0300.vn/",
		"詳細はこちら→example.com", "example.com→example.org", "old.py→new.py", "сайт→example.com", "Copyright©example.com", "1️⃣README.md", "☎️info@example.org", "https://…で始まるURL", "http://localhost:3000、または",
		`https://schema.org","@type`, `{"@id":"https://example.org","@type":"Person"}`, "paypal.com@example.xn--p1ai", "anna.li@example.xn--p1ai", "http://[2001:db8::1]/a/b.com", "пример.рф:80/a/b.com", "e.onion/paypal.com",
		"http://example.com/,paypa1.com", "example.com:80#paypa1.com",
	} {
		if worst(text) >= policy.SeverityMedium {
			t.Errorf("%s: %s", text, worst(text))
		}
	}
}

// TestManySlashes: a link of many slashes takes little memory, since the text behind each slash is
// not copied.
func TestManySlashes(t *testing.T) {
	j := newJudge(t, policy.Options{})
	links := newScanner(t).Append(nil, "http://_/"+strings.Repeat("/", 8000)+"x")
	if len(links) != 1 {
		t.Fatalf("links: %v", links)
	}
	if allocated := testing.AllocsPerRun(3, func() { j.Link(links[0]) }); allocated > 1000 {
		t.Errorf("%v allocations", allocated)
	}
}
