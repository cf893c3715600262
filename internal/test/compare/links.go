package main

import (
	"fmt"
	"net/url"
	"strings"
)

// words are of 20 scripts. Links to them are over-escaped.
var words = []string{
	"Größe_und_Übersicht", "Москва", "Αθήνα", "Երևան", "ירושלים", "القاهرة", "ܣܘܪܝܝܐ", "दिल्ली", "ঢাকা", "ਅੰਮ੍ਰਿਤਸਰ", "અમદાવાદ", "ଓଡ଼ିଶା",
	"சென்னை", "హైదరాబాద్", "ಬೆಂಗಳೂರು", "കേരളം", "กรุงเทพมหานคร", "ວຽງຈັນ", "တောင်ကြီး", "თბილისი", "አዲስ_አበባ", "ភ្នំពេញ", "東京都", "とうきょう", "서울특별시", "Tiếng_Việt",
}

// hosts are names that resolve, or could.
var hosts = []string{
	"example.com", "www.example.org", "de.wikipedia.org", "hi.wikipedia.org", "bücher.example", "xn--bcher-kva.example", "münchen.de", "пример.рф", "例え.jp",
	"παράδειγμα.gr", "실례.kr", "مثال.eg", "example.co.uk", "sub.allowed.example.net", "x.below.example.net", "paypal.com", "www.paypal.com", "node.js", "report.zip",
	"setup.py", "notes.md", "localhost", "mail.example.museum", "a.b.c.d.example.info", "example。com", "ex-ample.com", "123.example.com", "t.co", "bit.ly",
}

// spoofs are hosts that mean to deceive, or that programs read differently.
var spoofs = []string{
	"аpple.com", "раураl.com", "paypa1.com", "paypaI.com", "xn--80ak6aa92e.com", "paypal.com._login.evil.com", "paypal.com+x.evil.com", "paypal.com@evil.example.net",
	"example.com（@evil.com", "google。com。evil.net", "127.0.0.1", "0x7f.1", "2130706433", "017700000001", "[::1]", "[2001:db8::1]:8080", "exаmple.com", "faceboоk.com:443",
	"paypal.com:80@evil.net", "evil.com\u202emoc.lapyap", "pay\u200bpal.com", "pаypal.com.evil.net", "bücher.example.", "xn--invalid-.com", "-a-.example.com", "a_b.example.com",
	"ｅｘａｍｐｌｅ.com", "faß.de", "example.invalid", "example.notatld", "1２3.com", "১২৩.com", "ΑΒΓ.com", "ꓮꓑꓑꓡꓰ.com", "login-paypal.com", "paypall.com", "example.com..evil.com",
	strings.Repeat("a", 70) + ".com", "paypal․com", "paypal.com⁄x.evil.com", "bаnk-of-example.org", "example.com%2eevil.net", "%65xample.com", "example.com\\evil.net", "_x.paypa1.com",
}

var schemes = []string{"https://", "https://", "https://", "http://", "HTTP://", "ftp://", "", "", "www.", "//", "http:", "https:\\\\", "hxxps://", "mailto:", "javascript:", "http:///", "-https://", "www.http://", "data:,"}

func host(r *gen) string {
	if chance(r, 30) {
		return pick(r, spoofs)
	}
	return pick(r, hosts)
}

// escape writes a text in one of the ways that mail programs do.
func escape(r *gen, text string) string {
	switch r.IntN(8) {
	case 0:
		return text
	case 1:
		return strings.ToLower(url.PathEscape(text))
	case 2:
		return url.PathEscape(url.PathEscape(text))
	case 3:
		escaped := url.PathEscape(text)
		return escaped[:max(len(escaped)-1-r.IntN(3), 1)]
	case 4:
		return url.PathEscape(text) + pick(r, []string{"%E2%80%AE", "%00", "%2F", "%2e%2e", "%C3", "%ff", "%E2%80%8B", "%20", "%0d%0a", "%25", "%7E", "%C2%A0", "%F0%9F%98%80"})
	}
	return url.PathEscape(text)
}

func path(r *gen) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString("/" + pick(r, []string{"wiki", "a", "index.html", "x(y)", "it's", "", "..", "a,b;c", "~anna", "A%20B", "@user"}))
	}
	if chance(r, 60) {
		b.WriteString("/" + escape(r, pick(r, words)))
	}
	if chance(r, 25) {
		b.WriteString("?" + pick(r, []string{"q=", "a=1&b=", "u=https://evil.example.net/&x=", "redirect=http%3A%2F%2F"}) + escape(r, pick(r, words)))
	}
	if chance(r, 15) {
		b.WriteString("#" + escape(r, pick(r, words)))
	}
	return b.String()
}

// link returns a URL, a bare host or an address, honest or not.
func link(r *gen) string {
	switch n := r.IntN(100); {
	case n < 12:
		return pick(r, []string{"anna", "info+tag", "größe", "почта", "a.b", "\"a b\"", "x..y", "%61", "отдел", "аdmin"}) + "@" + host(r)
	case n < 14:
		return "https://example.com/" + strings.Repeat(pick(r, []string{"a", "%D0%B0", "a/", "я"}), 100+r.IntN(1500))
	case n < 18:
		return pick(r, schemes) + pick(r, []string{"user@", "user:pw@", "paypal.com:x@", "@", ":@"}) + host(r) + path(r)
	}
	port := ""
	if chance(r, 6) {
		port = pick(r, []string{":80", ":8080", ":99999", ":", ":0", ":٤٤٣"})
	}
	return pick(r, schemes) + host(r) + port + path(r)
}

// mutated changes a code point of a text now and then.
func mutated(r *gen, text string) string {
	if !odds(r, 25) {
		return text
	}
	runes := []rune(text)
	at := r.IntN(len(runes) + 1)
	odd := pick(r, []string{"\u200b", "\u202e", "\u00ad", "\u0301", "%", "\x1b[31m", "\x00", "<", "\"", "\\", "|", "）", "。", "\ufeff", "\ufffd", "😀", "\xff", "\t", "’", "[", "]", "ـ"})
	return string(runes[:at]) + odd + string(runes[at:])
}

// generateLine returns a link, a host or an address for explain.
func generateLine(seed uint64, i int) string {
	r := source("line", seed, i)
	var line string
	switch r.IntN(6) {
	case 0:
		line = host(r)
	case 1:
		line = fmt.Sprintf("%s.%s", strings.ReplaceAll(pick(r, words), "_", "-"), pick(r, []string{"com", "рф", "example", "museum", "xn--p1ai", "zip", "1"}))
	default:
		line = link(r)
	}
	return withBOM(r, mutated(r, line))
}

// generateURL returns a line for format.
func generateURL(seed uint64, i int) string {
	r := source("url", seed, i)
	if chance(r, 10) {
		return withBOM(r, mutated(r, link(r)))
	}
	return withBOM(r, mutated(r, pick(r, []string{"https://", "http://", "ftp://"})+host(r)+path(r)))
}

func withBOM(r *gen, line string) string {
	if chance(r, 1) {
		return bom + line
	}
	return line
}
