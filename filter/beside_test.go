package filter_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// unseen has characters that readers do not see within a word of ASCII letters, and marks of other
// scripts. Programs begin a bare host behind them, or do not map them.
var unseen = []string{
	"\u00ad", "\u034f", "\u061c", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202c", "\u202d", "\u2060", "\u2065", "\u2066", "\u2069",
	"\ufeff", "\ufff9", "\ufffb", "\ufffc", "\ufe0f", "\U000e0001", "\U000e0061", "\U000e007f", "\u0e31", "\u0e48", "\u05b0", "\u0610",
}

// besideText returns a text with a link, and with characters before it that make other programs or
// readers see another link.
func besideText(r *rand.Rand) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	path := pick("", "/login", "?q=1")
	switch r.IntN(6) {
	case 0:
		name := pick("paypal.com", "paypa1.com", "microsoft.com", "www.netflix.com", "login.goog1e.com")
		i := strings.LastIndexByte(name[:len(name)-len(".com")], '.') + 2 + r.IntN(3)
		return pick("", "x@") + name[:i] + strings.Repeat(pick(unseen...), 1+r.IntN(3)) + name[i:] + path
	case 1:
		scheme := pick("whatsapp://send?text=", "sms:+1;body=", "firefox://open-url?url=", "magnet:?tr=", "about:reader?url=", "x:?u=")
		return scheme + pick("http", "https", "HTTP") + pick("%3A%2F%2F", "%3a%2f%2f", ":%2F%2F") + pick("paypa1.com", "www.goog1e.com") + path
	case 2:
		return pick("mailto:a@example.org?bcc=y%40", "search-ms:x&crumb=location:%5C%5C", "x%5c%5c") + pick("paypa1.com", "goog1e.com") + path
	}
	if r.IntN(2) == 0 {
		tail := pick("\u00b7", "\u2027", "\u2022", "\u2219") + "com.evil.example.net"
		if r.IntN(2) == 0 {
			tail = ".com" + pick("\u2044", "\u2215", "\u29f8") + "login.evil.example.net"
		}
		return pick("", "www.", "//", "hxxp://", "ssh://", "http:/") + pick("paypal", "microsoft", "accounts.google") + tail + path
	}
	if r.IntN(2) == 0 {
		return pick("n", `\n`, "%0a", "xy", `\u003c`) + pick("https://", "HTTP://") + pick("www.paypal.com", "paypal.com:443", "login.microsoft.com") + "@evil.example.net" + path
	}
	return pick(`https:\\`, "https:", "http:/", "//", "https\uff1a//", "http\ua789//", `\\`, "HTTPS:", "ftp:/") +
		pick("www.paypal.com", "paypal.com", "login.microsoft.com") + "@evil.example.net" + path
}

// TestTextBesideLinks: the text right before a link is judged with it, if a reader or a program
// would see another link.
func TestTextBesideLinks(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for seed := range uint64(2000) {
		content := besideText(rand.New(rand.NewPCG(seed, 58)))
		for _, frame := range [...]string{"", "See ", "请看", "("} {
			if worst := worstLink(f.Scan([]byte(utf8Text(frame + content + "\r\n")))); worst < policy.SeverityMedium {
				t.Errorf("%d: %s: %+q", seed, worst, frame+content)
			}
		}
	}
}

// TestUserNameBehindWord: some programs find a URL of the web behind any character, and open the
// host behind the "@".
func TestUserNameBehindWord(t *testing.T) {
	f := newFilter(t, filter.Options{})
	urls := []string{
		"http://paypal.com@evil.example.net", `http://evil.example.net\@paypal.com`, `HTTP://evil.example.net\x@paypal.com/y`, "ftp://paypal.com@evil.example.net/x",
		"http://a@paypal.com@evil.example.net", "http://paypal.com%20@evil.example.net", "http://paypal.com!" + strings.Repeat("A", 300) + "@evil.example.net/", "https://paypal.com&" + strings.Repeat("x=1&", 5000) + "@evil.example.net",
	}
	for _, before := range []string{"a+", "+", "x@y.com/", "x@y.com/,", "x@y.com/é", "x@y.com/\u200b", "x@y.com/\ufeff", "x@y.com/中", "x@y.com/—", "x@y.com/“", "x@y.com/😀", "x@y.com/%", "x@y.com/-", "x@y.com/+"} {
		for _, url := range urls {
			if r := f.Scan([]byte(utf8Text("See " + before + url + " now\r\n"))); worstLink(r) < policy.SeverityHigh {
				t.Errorf("%s%.99s: %v", before, url, placed(r))
			}
		}
	}
	for content, want := range map[string]bool{
		"git+https://paypal.com@evil.example.net/x": true, "legit+https://anna.li@example.com/x": true,
		"See pip install hg+https://anna.li@example.com/x": false, "See a legit+https://anna.li@example.com/x": true, "svn+http://first.last@example.com": false, "Git+https://anna.li@github.com/x": false, "xftp://anna.li@example.com": false,
		"x@y.com/中http://anna@example.com": false, "x@y.com/%http://example.com/@anna": false, "x@y.com/,https://paypal.com/@evil.example.net": false, "x@y.com/éhttp://example.com anna@example.com": false, "a+http://example.com?@anna": false,
	} {
		if r := f.Scan([]byte(utf8Text(content + "\r\n"))); worstLink(r) >= policy.SeverityMedium != want {
			t.Errorf("%s: want %t: %v", content, want, placed(r))
		}
	}
}

// TestHonestTextBesideLinks: controls, escapes and slashes before a link in honest texts are no
// finding.
func TestHonestTextBesideLinks(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for _, content := range []string{
		"\u200eexample.com", "\u202a+49 30 1234\u202cexample.com", "Visit\u200eexample.com/x", "אתר\u200fpaypal.com", "الموقع\u200epaypal.com/x",
		"example.org\u200eexample.com", "paypal.com\u200epaypal.com", "Photo\ufffcexample.com", "ดูที่paypal.com", "ดูท\u0e35\u0e48paypal.com", "\u2060paypal.com\u2060", "✅\ufe0fpaypal.com",
		"whatsapp://send?text=https%3A%2F%2Fwww.example.com%2Fa", "sms:+1?body=https%3A%2F%2Fpaypal.com", "mailto:a@example.org?bcc=b%40example.com", "100%25example.com", "q=%D0%B0example.com",
		"ssh://git@example.com/x", "sftp://anna.li@example.com/", "//anna@example.com", "a//b@example.com", "https:anna@example.com", "E-Mail:anna.name@example.com", "mailto:paypal.com@example.com",
		"ご注文です。info＠example.co.jp", "ﾃﾞｰﾀです。support＠example.co.jp まで", "请联系我们。info＠example.cn。",
		"News\u00b7example.com/x", "Foo\u2022bar.com", "Web\u2022info@example.com", "030/1234567\u2022office@example.com", "a@example.org\u25cfinfo@example.com", "oder\u2026post@example.com", "col\u00b7legi.cat", "paypal\u00b7example.com", "git+https://user@github.com/x", "git+https://anna.li@github.com/x", "xhttps://user@example.com/",
		"Twitter\u00b7twitter.com", "a\u00b7b\u00b7example.com", "%20example.com", "%20www.paypal.com",
		"It costs 5€.It is cheap.", "Costa 5€.No es caro", "Ok👍.So geht's", "Word®.No", "20°.So", "Danke❤️.Es war", "5½.So",
		"PayPal→login.example.com", "Amazon→amazon.de", "GitHub➜github.io", "Почта→example.com", "paypa1→http://example.com/", "paypa1 → example.com", "Start→login.example.com",
		"£amazon.co.uk", "¥amazon.co.jp", "₹amazon.in", "£lloydsbank.com", "₿coinbase.com", "€paypal.com", "Google★play.google.com", "サイト★example.com", "Apple★news.com", "nur 9.90€.Am Montag", "价格¥99www.example.com", "www.kit.com￥1,000",
		"acct:service@paypal.com", "xmpp://anna.li@example.com", "git+ssh://first.last@example.com/x.git", "/home/anna@example.com",
	} {
		if r := f.Scan([]byte(utf8Text(content + "\r\n"))); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%+q: %v", content, placed(r))
		}
	}
}
