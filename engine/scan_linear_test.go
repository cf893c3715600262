package engine

import (
	"strings"
	"testing"

	loadtest "github.com/linkmilter/linkmilter/internal/test/load"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// A hostileText is slow for naive scanners: prefix, then unit until the text is full, then suffix.
type hostileText struct{ name, prefix, unit, suffix string }

// text returns a text of about n bytes.
func (h hostileText) text(n int) string {
	return h.prefix + strings.Repeat(h.unit, n/len(h.unit)) + h.suffix
}

var hostile = []hostileText{
	{"dots", "", ".", ""},
	{"labels of one letter", "", "a.", ""},
	{"labels of one letter, then a top-level domain", "", "a.", "com"},
	{"top-level domains", "", "com.", "com"},
	{"hosts in a row", "", "a.com", ""},
	{"at signs", "", "@", ""},
	{"addresses in a row", "", "a@a.com", ""},
	{"at sign after every letter", "", "a@", "a.com"},
	{"schemes", "", "http://", ""},
	{"schemes and hosts", "", "http://a.com", ""},
	{"schemes and commas", "", "http://a.com,", ""},
	{"colons", "", ":", ""},
	{"colons and backslashes", "", ":\\", ""},
	{"colons and backslashes before a slash", "", `a:\`, "/"},
	{"numbers behind backslashes", "", `http:\1`, ""},
	{"numbers behind a slash", "", "http:/1.", ""},
	{"numbers behind words that end in a scheme", "", "xhttp://1 ", ""},
	{"colons beside dots, a number last", "", "a.com%:", "xhttp://1"},
	{"schemes without a host", "", "http://?", ""},
	{"schemes without a host, hosts behind", "", "http://?a.com,", ""},
	{"schemes without a host, dots behind", "", "http://:.a.b ", ""},
	{"a scheme without a host, hosts behind", "http://?", "a.com,", ""},
	{"www without a host, hosts behind", "", "www.7/a.com,", ""},
	{"www and colons", "", "www.a:", ""},
	{"hosts in ASCII that touch others", "", "com例え.", "com"},
	{"short hosts in ASCII that touch others", "", strings.Repeat("com例え.", 20) + "com ", ""},
	{"addresses beside signs", "", "1.1.1.1″", ""},
	{"addresses beside signs before a host", "a.", "1.1.1.1″", "a.com"},
	{"addresses behind letters", "", "1.1.1.1a.", ""},
	{"A-labels before signs", "", "a.xn--p1ai‑", ""},
	{"hosts and joiners", "", "a.com\u200d", "b.com"},
	{"hosts and joiners behind other letters", "", "a.comえ\u200d.", "b.com"},
	{"hosts before letters that refuse the whole", "", "a.comا", "1.com"},
	{"hosts and signs", "\u200d", "a.com№", "b.com"},
	{"combining marks before hosts", "", "\u0301e\u0301a.com\u200c", ""},
	{"joiners and labels before a host", "", "\u200cм.", "мa.com"},
	{"hosts behind arrows", "", "a→b.com", ""},
	{"arrows before a host", "", "→", "a.com"},
	{"keycaps before hosts", "", "1\ufe0f\u20e3", "a.com"},
	{"labels behind a scheme and before punctuation", "", "http://a、b", ""},
	{"a scheme before labels and punctuation", "http://a", "、b", ""},
	{"ellipses behind a scheme", "", "https://…で", ""},
	{"ports", "", "a.com:80", ""},
	{"digits of a port", "http://a.com:", "0", ""},
	{"open brackets", "a.com/", "(", ""},
	{"closed brackets", "a.com/", ")", ""},
	{"pairs of brackets", "a.com/", "()", ""},
	{"hosts with an open bracket", "", "a.com/( ", ""},
	{"soft characters", "a.com/", "!", ""},
	{"hosts and soft characters", "", "a.com/!", ""},
	{"question marks", "a.com", "?", ""},
	{"directive marks", "a.com#", ":~:", ""},
	{"half directive marks", "a.com#", ":~", ""},
	{"Link_Email characters", "", "a+", "@a.com"},
	{"hosts in a local-part", "", "a.com+", "@a.com"},
	{"hosts in a local-part, spaces between", "", "a.com+@", " "},
	{"hosts before an at sign and a long name", "", "a.com+@a.a.a.a.a.a.a.a ", ""},
	{"userinfo", "http://a.com", ",", "@a.com"},
	{"schemes before a long userinfo", "", "http://a.com;", "@"},
	{"hosts that go on", "", "a.com+", ""},
	{"hosts that go on behind a scheme", "http://", "a.com+", ""},
	{"hosts that go on behind a final dot", "", "a.com._", ""},
	{"hosts and symbols that do not go on", "", "a.com👈+", ""},
	{"hosts and hyphens that do not go on", "", "a.com--+", ""},
	{"hosts and hyphens before a local-part", "", "a.com--,", "b.com@c.com"},
	{"hosts before a long rest", "http://a.com", "+a", ""},
	{"addresses that go on", "", "a@b.com+", ""},
	{"addresses in a list", "", "a@b.com,", ""},
	{"addresses with hosts in local-parts", "", "a@b.com,c.me", "@d.com"},
	{"hosts before local-parts that are hosts", "", "a.com,b.me@c.com,", ""},
	{"hosts and quotation marks", "", "http://a.com\"b", ""},
	{"hosts and percent-escapes", "", "a.com%41", ""},
	{"underscores behind a final dot", "", "a.com.__", ""},
	{"ignored characters behind a final dot", "a.com.", "\u00ad", "_"},
	{"dots and marks", "a.com", "+.", ""},
	{"labels in a rest", "a.com", "+a.a", ""},
	{"full-width labels in a rest", "a.com", "+ａ.ｃｏ", ""},
	{"hosts between East Asian marks", "", "a.com，", ""},
	{"userinfo of any characters", "http://a.com", "（", "@b.com"},
	{"schemes before userinfo of any characters", "", "http://a.com（", "@"},
	{"at signs behind a scheme", "http://a.com", "@", ""},
	{"suspects and quotation marks", "", "http://a\"b.c", ""},
	{"www and quotation marks", "", "www.a\"", ""},
	{"one long label", "", "a", ".com"},
	{"one long label after a scheme", "http://", "a", ".com"},
	{"hyphens", "", "-", ".com"},
	{"A-label prefixes", "", "xn--", ".com"},
	{"A-labels", "", "xn--a.", "com"},
	{"combining marks", "a.com/", "\u0301", ""},
	{"combining marks in a host", "a", "\u0301", ".com"},
	{"ignored characters in a host", "a", "\u00ad", ".com"},
	{"ignored characters after a host", "a.com", "\u200b", ""},
	{"ignored characters and dots", "a.com", "\u200b.", ""},
	{"mixed dots", "", "a.漢。b．c｡", "com"},
	{"ideographic full stops", "", "。", ""},
	{"ideographs with hosts", "", "漢a.com", ""},
	{"hosts in an ideographic run, unknown top-level domain", "", "a.com漢", ".zzzz"},
	{"sentences", "", "みんな。", ""},
	{"first byte of an ideographic full stop", "", "\xe3", ""},
	{"first bytes of wide dots", "", "\xe3\xef", ""},
	{"invalid UTF-8", "", "a.com\xff", ""},
	{"continuation bytes", "", "\x80.", ""},
	{"emoji", "", "👉a.com", ""},
	{"www", "", "www.", ""},
	{"www and spaces", "", "www._ ", ""},
	{"www in one suspect", "www.", "_www.", ""},
	{"unknown top-level domains and paths", "", "漢.x/", ""},
	{"unknown top-level domains and queries", "", "漢.x?", ""},
	{"final dots and queries", "", "a.com.?!", ""},
	{"final dots and ports", "", "a.com.:80?", ""},
	{"final dots and soft characters", "a.com.?", "!", ""},
	{"IPv6", "", "http://[::1", ""},
	{"bare IPv6", "", "http://1::1", ""},
	{"other schemes", "", "x://a", ""},
	{"other schemes before punctuation", "", "x://!!!!a@", ""},
	{"schemes without slashes", "", "mailto:a", ""},
	{"a scheme before a long local-part", "mailto:", "a%", ""},
	{"pseudo top-level domains", "", "@a.local", ""},
	{"labels with symbols", "", "❤.", ""},
	{"labels with symbols behind slashes", "", "//a❤.a", ""},
	{"labels with symbols, a top-level domain last", "//", "a❤.", "com"},
	{"hyphens between symbols", "", "//a-❤.-", ""},
	{"IPv6 behind slashes", "", "//[::1", ""},
	{"empty text", "", " ", ""},
	{"letters", "", "abcdefgh ", ""},
}

// TestDetectionLinear: for twice the text the scanner takes at most 2.2 times the time, whatever
// the text has (invariant I6).
func TestDetectionLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	s := newTestScanner(t, Options{Suspects: true})
	scan := func(text string) {
		for range s.All(text) { // with Append, the test would measure memory, too
		}
	}
	check := func(name string, text func(n int) string) {
		t.Run(name, func(t *testing.T) {
			n := long.Rows(1<<20, 1<<16)
			small, large := text(n), text(2*n)
			loadtest.CheckGrowth(t, 2.2, func() { scan(small) }, func() { scan(large) })
		})
	}
	for _, h := range hostile {
		check(h.name, h.text)
	}
	for _, h := range hostileHalves {
		check(h.first+" before "+h.middle, h.text)
	}
}

// A hostileHalf repeats first in the first half of a text and last in the second. A scanner that
// reads the second half again for each first takes quadratic time.
type hostileHalf struct{ first, middle, last string }

// text returns a text of about n bytes. Before the halves it has more suspects than the scanner
// counts one by one.
func (h hostileHalf) text(n int) string {
	return strings.Repeat("x://b ", 9) + strings.Repeat(h.first, n/2/len(h.first)) + h.middle + strings.Repeat(h.last, n/2/len(h.last))
}

var hostileHalves = []hostileHalf{
	{"a.q ", "x://", "c"},
	{"1.1.1.1% ", "x://", "c"},
	{"a.q ", "mailto:", "/"},
	{"a.q ", "x://", "@"},
	{"a@b ", "x://", "c."},
}
