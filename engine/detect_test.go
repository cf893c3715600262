package engine_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
)

// A detection is a text with its links marked as in LinkDetectionTest.txt.
// Where the modes differ, each has its own marks.
type detection struct {
	name   string
	strict string
	normal string // default mode; "": as strict
}

var unmarker = strings.NewReplacer("⸠", "", "⸡", "")

// run checks the marks in both modes.
func (d detection) run(t *testing.T) {
	t.Run(d.name, func(t *testing.T) {
		text := unmarker.Replace(d.strict)
		normal := d.normal
		if normal == "" {
			normal = d.strict
		} else if unmarker.Replace(normal) != text {
			t.Fatalf("the texts of the two modes differ: %q and %q", d.strict, d.normal)
		}
		if got := mark(newScanner(t, engine.Options{Strict: true}), text); got != d.strict {
			t.Errorf("strict mode:\n got %s\nwant %s", got, d.strict)
		}
		if got := mark(newScanner(t, engine.Options{}), text); got != normal {
			t.Errorf("default mode:\n got %s\nwant %s", got, normal)
		}
	})
}

func TestSchemes(t *testing.T) {
	for _, d := range []detection{
		{name: "http", strict: "see ⸠http://example.com⸡ now"},
		{name: "https", strict: "see ⸠https://example.com/a⸡ now"},
		{name: "ftp", strict: "see ⸠ftp://example.com/a⸡ now"},
		{name: "capitals", strict: "see ⸠HTTP://EXAMPLE.COM/A⸡ now"},
		{name: "mixed case", strict: "see ⸠hTTpS://Example.Com/A⸡ now"},
		{name: "mailto in capitals", strict: "⸠MAILTO:joe@example.com⸡"},
		{name: "mailto in mixed case", strict: "⸠MailTo:joe@Example.COM⸡"},
		{name: "after a letter it is another scheme", strict: "xhttp://example.com/a"},
		{name: "after plus it is another scheme", strict: "git+https://example.com/a"},
		{name: "after a colon", strict: "view-source:⸠http://example.com/a⸡"},
		{name: "after a digit", strict: "1⸠http://example.com/a⸡"},
		{name: "after an ideograph", strict: "請看⸠http://example.com/a⸡"},
		{name: "after an underscore", strict: "_⸠http://example.com/a⸡"},
		{name: "twice in a row", strict: "⸠http://example.com/http://example.org/⸡"},
		{name: "two after a comma", strict: "⸠http://example.com⸡,⸠http://example.org⸡"},
		{name: "without slashes", strict: "http:example.com"},
		{name: "without slashes, upper case", strict: "HTTPS:example.com/a"},
		{name: "with one slash", strict: "http:/example.com"},
		{name: "with three slashes", strict: "http:///example.com"},
		{name: "with backslashes", strict: `http:\\example.com`},
		{name: "nothing after it", strict: "http:// is a scheme"},
		{name: "of something else", strict: "ssh://example.com/a and file:///etc/example.com"},
		{name: "of something else with a user", strict: "ssh://git@example.com:linkmilter/x.git"},
		{name: "defanged", strict: "hxxp://example.com/a hxxps://example[.]com"},
		{name: "protocol-relative", strict: "//example.com/a"},
		{name: "mailto without an address", strict: "mailto: and mailto:joe"},
	} {
		d.run(t)
	}
}

func TestBareHosts(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, d := range []detection{
		{name: "alone", strict: "⸠example.com⸡"},
		{name: "capitals", strict: "⸠EXAMPLE.COM⸡"},
		{name: "mixed case", strict: "⸠Example.Com⸡"},
		{name: "mixed-case top-level domain", strict: "⸠example.oRg⸡"},
		{name: "mixed-case A-label as top-level domain", strict: "⸠example.Xn--H2brJ9C⸡"},
		{name: "capital U-label as top-level domain", strict: "⸠пример.РФ⸡"},
		{name: "three labels", strict: "⸠www.example.com⸡"},
		{name: "with a path", strict: "⸠example.com/a⸡"},
		{name: "one label", strict: "localhost"},
		{name: "one label with scheme", strict: "http://localhost:8080/a"},
		{name: "unknown top-level domain", strict: "example.zzzz and http://example.zzzz/a"},
		{name: "single-letter top-level domain", strict: "example.a http://example.a"},
		{name: "file names", strict: "report.html v1.2.3 libfoo.so.1 a.out"},
		{name: "numbers", strict: "3.14 and 12,345.67"},
		{name: "abbreviations", strict: "e.g. this, i.e. that, a.k.a. them"},
		{name: "missing space after a sentence", strict: "It ends.Then more"},
		{name: "abbreviation that is a name", strict: "⸠M.Sc⸡. in law", normal: "M.Sc. in law"},
		{name: "leading dot", strict: ".example.com"},
		{name: "leading dot with scheme", strict: "http://.example.com/"},
		{name: "empty label", strict: "example..com www..example.com"},
		{name: "empty label with scheme", strict: "http://example..com/a"},
		{name: "trailing dot", strict: "⸠example.com⸡."},
		{name: "trailing dot before a path", strict: "⸠example.com./a⸡"},
		{name: "trailing dot before a query", strict: "⸠example.com.?a⸡"},
		{name: "trailing dot before a port and path", strict: "⸠http://example.com.:80/a⸡"},
		{name: "trailing dot before a port", strict: "⸠http://example.com⸡.:80"},
		{name: "ellipsis", strict: "⸠example.com⸡..."},
		{name: "two dots before a path", strict: "example.com../a"},
		{name: "leading hyphen with scheme", strict: "http://-example.com"},
		{name: "hyphen at the end of a label", strict: "foo-.example.com"},
		{name: "hyphens in third and fourth place", strict: "⸠r3---sn-4g5e6nez.example.com⸡"},
		{name: "underscore inside", strict: "foo_bar.example.com http://foo_bar.example.com/", normal: "foo_bar.example.com ⸠http://foo_bar.example.com/⸡"},
		{name: "underscore first", strict: "_dmarc.example.com"},
		{name: "underscore after", strict: "example.com_foo http://example.com_foo"},
		{name: "percent after", strict: "example.com%2Ffoo http://example.com%2ffoo"},
		{name: "in a file path", strict: `/usr/bin/run.sh lib/x.py C:\dir\setup.sh`},
		{name: "after an equals sign", strict: "url=⸠example.com⸡"},
		{name: "after a colon", strict: "web:⸠example.com⸡"},
		{name: "in parentheses", strict: "(⸠example.com⸡)"},
		{name: "in ASCII quotes", strict: "\"⸠example.com⸡\" and '⸠example.org⸡'"},
		{name: "in angle brackets", strict: "<⸠example.com⸡>"},
		{name: "between tabs and line ends", strict: "\t⸠example.com⸡\r\n⸠example.org⸡\n"},
		{name: "label of 63 bytes", strict: "⸠" + long + ".com⸡"},
		{name: "label of 64 bytes", strict: long + "a.com http://" + long + "a.com/"},
		{name: "name of 253 bytes", strict: "⸠" + strings.Repeat(long+".", 3) + strings.Repeat("b", 57) + ".com⸡"},
		{name: "name of 254 bytes", strict: strings.Repeat(long+".", 3) + strings.Repeat("b", 58) + ".com"},
		{name: "followed by a colon and text", strict: "⸠example.com⸡: text, ⸠example.com⸡:text"},
		{name: "followed by a backslash", strict: `⸠http://example.com⸡\a`},
		{name: "followed by a bar", strict: "⸠example.com⸡|⸠example.org⸡"},
	} {
		d.run(t)
	}
}

func TestPorts(t *testing.T) {
	for _, d := range []detection{
		{name: "with path", strict: "⸠example.com:8080/a⸡"},
		{name: "at the end", strict: "⸠example.com:443⸡."},
		{name: "zero", strict: "⸠http://example.com:0/⸡"},
		{name: "highest", strict: "⸠http://example.com:65535/⸡"},
		{name: "too high", strict: "http://example.com:65536/a"},
		{name: "too high, bare host", strict: "example.com:70000/a"},
		{name: "leading zeros", strict: "⸠http://example.com:00080/a⸡"},
		{name: "many digits", strict: "http://example.com:99999999999999999999/"},
		{name: "digits and letters", strict: "http://example.com:80a/"},
		{name: "empty before a path", strict: "⸠http://example.com:/a⸡"},
		{name: "empty at the end", strict: "⸠http://example.com⸡:"},
		{name: "copy target, not a port", strict: "⸠host.example.com⸡:/home/joe"},
		{name: "time after a bare host", strict: "⸠example.com⸡: 10:30"},
	} {
		d.run(t)
	}
}

func TestUserinfo(t *testing.T) {
	for _, d := range []detection{
		{name: "user and password", strict: "http://user:pass@example.com/a"},
		{name: "user", strict: "https://user@example.com"},
		{name: "host as user", strict: "http://paypal.com@evil.example.com/login"},
		{name: "host and port as user", strict: "http://paypal.com:80@evil.example.com/"},
		{name: "host as user and words as password", strict: "http://paypal.com:secret@example.com"},
		{name: "escaped characters", strict: "http://paypal.com%20@example.com"},
		{name: "several at signs", strict: "http://a@b@example.com"},
		{name: "nothing in front", strict: "http://@example.com"},
		{name: "at sign in the path", strict: "⸠http://example.com/@joe@example.org⸡"},
		{name: "at sign in the query", strict: "⸠http://example.com?a=joe@example.org⸡"},
		{name: "no part of it is scanned again", strict: "http://user:pass@example.com/?u=example.org"},
		{name: "address after a space", strict: "⸠http://example.com⸡, ⸠joe@example.org⸡"},
	} {
		d.run(t)
	}
}

func TestIPHosts(t *testing.T) {
	for _, d := range []detection{
		{name: "IPv4", strict: "⸠http://192.168.10.15⸡ and ⸠https://127.0.0.1:8080/a⸡"},
		{name: "IPv4 at the end of a sentence", strict: "⸠http://192.168.10.15⸡."},
		{name: "IPv4 with final dot before a path", strict: "⸠http://192.168.10.15./a⸡"},
		{name: "IPv4 without scheme", strict: "192.168.10.15 and 10.0.0.1/a"},
		{name: "IPv4 zero", strict: "⸠http://0.0.0.0/⸡"},
		{name: "IPv4 over 255", strict: "http://192.168.10.256"},
		{name: "IPv4 of three numbers", strict: "http://192.168.10/"},
		{name: "IPv4 of five numbers", strict: "http://192.168.10.1.2/"},
		{name: "IPv4 in octal", strict: "http://0300.0250.012.017/"},
		{name: "IPv4 in hexadecimal", strict: "http://0xc0.0xa8.0xa.0xf/"},
		{name: "IPv4 as one number", strict: "http://3232238095/ http://0xc0a80a0f/"},
		{name: "IPv4 in full-width digits", strict: "http://１９２.168.10.15/"},
		{name: "IPv4 in ideographic dots", strict: "http://192。168。10。15/"},
		{name: "IPv6", strict: "⸠http://[2001:db8::1]⸡ and ⸠https://[::1]:8080/a⸡"},
		{name: "IPv6, all groups", strict: "⸠http://[1:2:3:4:5:6:7:8]/⸡"},
		{name: "IPv6 with IPv4", strict: "⸠http://[::ffff:192.168.10.15]/⸡"},
		{name: "IPv6 unspecified", strict: "⸠http://[::]/⸡"},
		{name: "IPv6 capitals", strict: "⸠HTTP://[2001:DB8::A]/⸡"},
		{name: "IPv6 of nine groups", strict: "http://[1:2:3:4:5:6:7:8:9]/"},
		{name: "IPv6 of seven groups", strict: "http://[1:2:3:4:5:6:7]/"},
		{name: "IPv6 compressed twice", strict: "http://[1::2::3]/"},
		{name: "IPv6 with three colons", strict: "http://[1:::2]/"},
		{name: "IPv6 with a long group", strict: "http://[12345::1]/"},
		{name: "IPv6 with zone", strict: "http://[fe80::1%25eth0]/"},
		{name: "IPv6 not closed", strict: "http://[2001:db8::1/a"},
		{name: "IPv6 empty", strict: "http://[]/"},
		{name: "IPv6 with port too high", strict: "http://[::1]:65536/"},
		{name: "IPv6 without scheme", strict: "[2001:db8::1]/a and 2001:db8::1"},
		{
			name:   "IPv6 without brackets",
			strict: "https://2001:4860:4860::8888 there",
			normal: "⸠https://2001:4860:4860::8888⸡ there",
		},
		{
			name:   "IPv6 without brackets, with path",
			strict: "http://2001:db8::1/a",
			normal: "⸠http://2001:db8::1/a⸡",
		},
		{
			name:   "IPv6 without brackets, compressed at the end",
			strict: "http://2001:db8::/a",
			normal: "⸠http://2001:db8::/a⸡",
		},
		{
			name:   "IPv6 without brackets, at the end of a sentence",
			strict: "http://2001:db8::1. http://2001:db8::2: x",
			normal: "⸠http://2001:db8::1⸡. ⸠http://2001:db8::2⸡: x",
		},
		{name: "IPv6 without brackets, before a letter", strict: "http://2001:db8::1x"},
		{name: "number with port", strict: "http://2001:4860"},
	} {
		d.run(t)
	}
}

func TestInternationalHosts(t *testing.T) {
	for _, d := range []detection{
		{name: "Devanagari", strict: "⸠मेल.डाटामेल.भारत⸡"},
		{name: "sharp s is kept", strict: "⸠faß.de⸡ ⸠straße.de/a⸡"},
		{name: "capital sharp s", strict: "⸠FAẞ.de⸡"},
		{name: "final sigma", strict: "⸠βόλος.com⸡ ⸠ΒΌΛΟΣ.com⸡"},
		{name: "zero width joiner after a virama", strict: "⸠श्\u200dरी.com⸡"},
		{name: "zero width joiner elsewhere", strict: "ab\u200dc.com http://ab\u200dc.com"},
		{name: "zero width non-joiner in Persian", strict: "⸠نامه\u200cای.com⸡"},
		{name: "zero width non-joiner elsewhere", strict: "ab\u200cc.com"},
		{name: "zero width space", strict: "⸠exam\u200bple.com⸡"},
		{name: "zero width space around", strict: "\u200b⸠example.com⸡\u200b"},
		{name: "byte order mark first", strict: "\ufeff⸠example.com⸡"},
		{name: "soft hyphen", strict: "⸠exam\u00adple.com⸡"},
		{name: "NFD", strict: "⸠bu\u0308cher.de⸡"},
		{name: "full-width letters", strict: "⸠ｅｘａｍｐｌｅ.ｃｏｍ⸡"},
		{name: "ideographic full stop", strict: "⸠http://例え。jp⸡ ⸠example。com⸡"},
		{name: "full-width full stop", strict: "⸠example．com/a⸡"},
		{name: "half-width full stop", strict: "⸠example｡com/a⸡"},
		{name: "mixed full stops", strict: "⸠www。example．co｡jp/a⸡"},
		{name: "right to left", strict: "⸠דוגמה.com⸡ ⸠مثال.إختبار.com⸡"},
		{name: "Bidi rule, digit first", strict: "1א.com http://1א.com/"},
		{name: "Bidi rule, two directions", strict: "אa.com http://aא.com/", normal: "א⸠a.com⸡ http://aא.com/"},
		{name: "combining mark first", strict: "\u0301a.com http://\u0301a.com/"},
		{name: "A-label", strict: "⸠xn--bcher-kva.de⸡ ⸠XN--BCHER-KVA.DE/a⸡"},
		{name: "A-label of ASCII", strict: "xn--a.com http://xn--a-.com/"},
		{name: "A-label of an A-label", strict: "http://xn--xn--a--gua.pt/ xn--xn---epa.com"},
		{name: "A-label of nothing", strict: "http://xn--.com/ xn--.com"},
		{name: "A-label that does not decode", strict: "http://xn--99999999.com/"},
		{name: "A-label of a capital", strict: "http://xn--cher-fna.com/ ⸠http://xn--cher-kva.com/⸡"},
		{name: "unassigned character ends a name", strict: "http://exa\u0378⸠mple.com/⸡"},
		{name: "emoji label with scheme", strict: "⸠http://i❤.ws⸡ ⸠https://❤.ws/a⸡"},
		{name: "emoji label", strict: "⸠i❤.ws⸡ ⸠❤.ws⸡"},
		{name: "astral letters", strict: "𝒳 ⸠example.com⸡ 𠀀 ⸠𠀀𠀁.com⸡"},
		{name: "astral symbols before a link", strict: "😀 see ⸠http://example.com/😀⸡ 😀"},
		{name: "label of 59 code points, 63 bytes", strict: "⸠" + strings.Repeat("ü", 57) + ".de⸡"},
		{name: "label over 63 bytes as A-label", strict: strings.Repeat("ü", 59) + ".de"},
		{name: "typed length does not count", strict: "⸠" + strings.Repeat("漢", 50) + ".jp⸡"},
		{name: "full-width solidus ends the host", strict: "⸠http://example.com⸡／a"},
		{name: "division slash", strict: "http://example.com∕a", normal: "⸠http://example.com⸡∕a"},
		{name: "division slash in a longer host", strict: "⸠http://example.com∕a.example.org/⸡"},
	} {
		d.run(t)
	}
}

func TestNeighbouringText(t *testing.T) {
	for _, d := range []detection{
		{
			name:   "Japanese on both sides, after the standard's example",
			strict: "⸠ウェブサイトはexample.com⸡ です。",
			normal: "ウェブサイトは⸠example.com⸡ です。",
		},
		{
			name:   "Chinese on both sides",
			strict: "請看example.com的網站",
			normal: "請看⸠example.com⸡的網站",
		},
		{
			name:   "Chinese after a host with scheme",
			strict: "請看http://example.com的網站",
			normal: "請看⸠http://example.com⸡的網站",
		},
		{name: "Chinese after a path is part of it", strict: "請看⸠http://example.com/網站⸡"},
		{
			name:   "Korean particle",
			strict: "example.com에서 보세요",
			normal: "⸠example.com⸡에서 보세요",
		},
		{
			name:   "Thai on both sides",
			strict: "ดูที่example.comนะ",
			normal: "ดูที่⸠example.com⸡นะ",
		},
		{
			name:   "ideographic full stop, then the next sentence",
			strict: "看example.com。然後再說",
			normal: "看⸠example.com⸡。然後再說",
		},
		{
			name:   "ideographic full stop before",
			strict: "⸠見て。example.com⸡ を",
			normal: "見て。⸠example.com⸡ を",
		},
		{
			name:   "address, Japanese after it",
			strict: "joe@example.comまで",
			normal: "⸠joe@example.com⸡まで",
		},
		{name: "letters before the local-part", strict: "⸠連絡先joe@example.com⸡", normal: "連絡先⸠joe@example.com⸡"},
		{name: "label that mixes scripts", strict: "⸠最高のSONY製品.com⸡"},
		{name: "Chinese label, Latin top-level domain", strict: "⸠例子.com⸡"},
		{name: "Latin label, Chinese top-level domain", strict: "⸠example.中国⸡"},
		{name: "accented letter is not a neighbour", strict: "example.comé"},
		{name: "Chinese punctuation after", strict: "⸠example.com⸡，⸠example.org⸡（⸠example.net⸡）"},
		{name: "host after a scheme is taken whole", strict: "⸠http://a.com和b.com/⸡"},
		{
			name:   "several in one run",
			strict: "⸠看a.com和b.com和c.com⸡",
			normal: "看⸠a.com⸡和⸠b.com⸡和⸠c.com⸡",
		},
	} {
		d.run(t)
	}
}

func TestPunctuationAroundHosts(t *testing.T) {
	for _, d := range []detection{
		{name: "curly quotes", strict: "“⸠example.com⸡” ‘⸠example.com⸡’"},
		{name: "guillemets", strict: "«⸠example.com⸡» ‹⸠example.com⸡›"},
		{name: "low quotes", strict: "„⸠example.com⸡“"},
		{name: "corner brackets", strict: "「⸠example.com⸡」"},
		{name: "dashes", strict: "—⸠example.com⸡— –⸠example.com⸡–"},
		{name: "dash and words", strict: "⸠example.com⸡—the best"},
		{name: "curly quotes after a scheme", strict: "“⸠http://example.com⸡”"},
		{name: "curly quotes around an address", strict: "“⸠joe@example.com⸡”"},
		{name: "ellipsis character", strict: "⸠example.com⸡…"},
		{name: "hyphen before", strict: "-example.com", normal: "-⸠example.com⸡"},
		{name: "two hyphens before", strict: "--example.com", normal: "--⸠example.com⸡"},
		{name: "hyphen after", strict: "example.com-", normal: "⸠example.com⸡-"},
		{name: "two hyphens as a dash", strict: "example.com--the best", normal: "⸠example.com⸡--the best"},
		{name: "hyphenated word", strict: "example.com-based", normal: "⸠example.com⸡-based"},
		{name: "bullet", strict: "•⸠example.com⸡"},
		{name: "arrow", strict: "⸠→example.com⸡", normal: "→⸠example.com⸡"},
		{name: "emoji before and after", strict: "👉example.com👈", normal: "👉⸠example.com⸡👈"},
		{name: "emoji after a host with scheme", strict: "http://example.com👈", normal: "⸠http://example.com⸡👈"},
		{name: "punctuation inside a label", strict: "exam“⸠ple.com⸡"},
	} {
		d.run(t)
	}
}

func TestSentences(t *testing.T) {
	for _, d := range []detection{
		{name: "two Japanese sentences, the second begins with a top-level domain", strict: "⸠ありがとう。みんな⸡、元気でね。", normal: "ありがとう。みんな、元気でね。"},
		{name: "at the end of a sentence", strict: "「⸠ありがとう。みんな⸡。」", normal: "「ありがとう。みんな。」"},
		{
			name:   "at the end of a line",
			strict: "では、⸠ありがとう。みんな⸡",
			normal: "では、ありがとう。みんな",
		},
		{
			name:   "before a full stop",
			strict: "⸠ありがとう。みんな⸡。",
			normal: "ありがとう。みんな。",
		},
		{name: "standing alone it may be a host", strict: "a ⸠普遍适用测试。我爱你⸡ b"},
		{name: "with a scheme it is a host", strict: "では、⸠http://ありがとう。みんな⸡ "},
		{name: "with a scheme, before a comma", strict: "⸠http://ありがとう。みんな⸡、"},
		{name: "with a path it is a host", strict: "⸠普遍适用测试。我爱你/测试⸡"},
		{name: "with a full stop it is a host", strict: "⸠ありがとう.みんな⸡、"},
		{name: "no top-level domain", strict: "ありがとう。さようなら、"},
	} {
		d.run(t)
	}
}

func TestQuestionMarks(t *testing.T) {
	for _, d := range []detection{
		{name: "after a host", strict: "seen ⸠example.com?⸡ yes", normal: "seen ⸠example.com⸡? yes"},
		{name: "at the end of the text", strict: "seen ⸠example.com?⸡", normal: "seen ⸠example.com⸡?"},
		{name: "two", strict: "seen ⸠example.com?⸡?", normal: "seen ⸠example.com⸡??"},
		{name: "with an exclamation mark", strict: "seen ⸠example.com?⸡!", normal: "seen ⸠example.com⸡?!"},
		{name: "after a path", strict: "seen ⸠example.com/a?⸡ yes", normal: "seen ⸠example.com/a⸡? yes"},
		{name: "after a slash", strict: "seen ⸠http://example.com/?⸡)", normal: "seen ⸠http://example.com/⸡?)"},
		{name: "after a query", strict: "seen ⸠example.com/?a=b⸡? yes"},
		{name: "before a fragment", strict: "seen ⸠example.com/?#a⸡ yes"},
		{name: "with a query of one character", strict: "seen ⸠example.com?a⸡"},
		{name: "with an equals sign", strict: "seen ⸠example.com?=⸡"},
		{name: "after a final dot", strict: "seen ⸠example.com.?⸡ yes", normal: "seen ⸠example.com⸡.? yes"},
		{name: "after a final dot and a port", strict: "seen ⸠example.com.:80?⸡ yes", normal: "seen ⸠example.com⸡.:80? yes"},
		{name: "after an ignored character", strict: "seen ⸠example.com\u200b?⸡ yes", normal: "seen ⸠example.com⸡\u200b? yes"},
		{name: "after an address", strict: "seen ⸠joe@example.com⸡? yes"},
	} {
		d.run(t)
	}
}

func TestTermination(t *testing.T) {
	open := func(n int) string { return strings.Repeat("(", n) }
	closed := func(n int) string { return strings.Repeat(")", n) }
	for _, d := range []detection{
		{name: "stack is cleared between path and query", strict: "⸠example.com/(a?b⸡)"},
		{name: "stack is cleared between query and fragment", strict: "⸠example.com?(a#b⸡)"},
		{name: "stack is cleared between segments", strict: "⸠example.com/(a/b⸡)"},
		{name: "stack is cleared at an ampersand", strict: "⸠example.com?a=(b&c⸡)"},
		{name: "stack is not cleared at a comma in a query", strict: "⸠example.com?a=(b,c)⸡"},
		{name: "stack is not cleared at an ampersand in a fragment", strict: "⸠example.com#(b&c)⸡"},
		{name: "bracket before the host does not count", strict: "(⸠example.com/a⸡)b"},
		{name: "pair, then more", strict: "⸠example.com/(a)(b)⸡)"},
		{name: "angle brackets", strict: "<⸠http://example.com/a⸡> <⸠http://example.com/<a>⸡>", normal: "<⸠http://example.com/a⸡> <⸠http://example.com/⸡<a>>"},
		{name: "closing angle bracket alone", strict: "⸠http://example.com/a⸡>b"},
		{name: "CJK brackets", strict: "⸠http://example.com/「あ」⸡」"},
		{name: "brackets that cross", strict: "⸠http://example.com/(「⸡)」"},
		{name: "125 brackets", strict: "⸠example.com/" + open(125) + closed(125) + "⸡ x"},
		{name: "126 brackets", strict: "⸠example.com/" + open(125) + "⸡" + open(1) + closed(126) + " x"},
		{name: "more than 125 brackets one after the other", strict: "⸠example.com/" + strings.Repeat("()", 200) + "⸡"},
		{name: "fragment directive", strict: "⸠example.com#:~:text=(a)⸡)"},
		{name: "directive clears at a comma", strict: "⸠example.com#:~:text=(a,b⸡)"},
		{name: "directive clears at an ampersand", strict: "⸠example.com#:~:text=(a&text=b⸡)"},
		{name: "directive clears at the next directive", strict: "⸠example.com#:~:text=(a:~:text=b⸡)"},
		{name: "directive mark at the end", strict: "⸠example.com#a:~:⸡ x"},
		{name: "no directive in a path", strict: "⸠example.com/:~:a(b)⸡"},
		{name: "no directive in a query", strict: "⸠example.com?:~:(a,b)⸡"},
		{name: "half a directive mark", strict: "⸠example.com#a:~b⸡ ⸠example.com#a:~⸡"},
		{name: "colon at the end of a fragment", strict: "⸠example.com#a⸡: b"},
		{name: "second number sign", strict: "⸠example.com#a#b⸡"},
		{name: "second question mark", strict: "⸠example.com?a?b⸡"},
		{name: "slash in the query", strict: "⸠example.com?a/b⸡"},
		{name: "soft characters inside", strict: "⸠example.com/a.b,c;d!e⸡!"},
		{name: "soft characters at the end", strict: "⸠example.com/a⸡.,;!'\""},
		{name: "apostrophe inside", strict: "⸠example.com/d'articlos⸡"},
		{name: "ideographic full stop at the end", strict: "⸠example.com/あ⸡。"},
		{name: "danda at the end", strict: "⸠example.com/म⸡।"},
		{name: "no-break space", strict: "⸠example.com/a⸡\u00a0b"},
		{name: "ideographic space", strict: "⸠example.com/a⸡\u3000b"},
		{name: "control character", strict: "⸠example.com/a⸡\x01b"},
		{name: "private use", strict: "⸠example.com/a⸡\ue000b"},
		{name: "unassigned", strict: "⸠example.com/a⸡\u0378b"},
		{name: "invalid UTF-8", strict: "⸠example.com/a⸡\xffb"},
		{name: "cut UTF-8", strict: "⸠example.com/a⸡\xe3\x81"},
		{name: "invalid UTF-8 in a host", strict: "exa\xff⸠mple.com⸡ http://exa\xff⸠mple.com/⸡"},
		{name: "replacement character", strict: "⸠example.com/a\ufffdb⸡"},
		{name: "percent-escapes", strict: "⸠example.com/%41%zz%⸡"},
		{name: "emoji with selectors and joiners", strict: "⸠example.com/👩‍👩‍👧❤️⸡ x"},
		{name: "slash at the end", strict: "⸠example.com/⸡. ⸠example.com/a/⸡,"},
		{name: "number sign at the end", strict: "⸠example.com#⸡ ⸠example.com/#⸡."},
		{name: "backslash in a path", strict: `⸠example.com/a\b⸡`},
	} {
		d.run(t)
	}
}

func TestAddresses(t *testing.T) {
	local := strings.Repeat("a", 64)
	for _, d := range []detection{
		{name: "plain", strict: "to ⸠joe@example.com⸡, please"},
		{name: "tag", strict: "⸠joe+tag@example.com⸡"},
		{name: "symbols of RFC 5322", strict: "⸠!#$%&'*+/=?^_`{|}~-@example.com⸡"},
		{name: "capitals", strict: "⸠Joe.Smith@EXAMPLE.COM⸡"},
		{name: "international domain", strict: "⸠joe@bücher.de⸡ ⸠joe@例え。jp⸡"},
		{name: "A-label domain", strict: "⸠joe@xn--bcher-kva.de⸡"},
		{name: "international local-part", strict: "⸠用户@例子.公司⸡ ⸠σωκράτης@example.com⸡"},
		{name: "local-part of 64 bytes", strict: "⸠" + local + "@example.com⸡"},
		{name: "local-part of 65 bytes", strict: local + "a@example.com"},
		{name: "local-part of 66 bytes in 22 code points", strict: strings.Repeat("あ", 22) + "@example.com"},
		{name: "unknown top-level domain", strict: "joe@example.zzzz"},
		{name: "one label", strict: "joe@localhost"},
		{name: "IP address", strict: "joe@192.168.10.15 joe@[192.168.10.15]"},
		{name: "no local-part", strict: "@example.com/a @example.org"},
		{name: "dot before the at sign", strict: "joe.@example.com"},
		{name: "dot first", strict: ".joe@example.com"},
		{name: "two dots", strict: "joe..smith@example.com/foo.org"},
		{name: "quoted", strict: `"joe smith"@example.com`},
		{name: "two at signs", strict: "joe@⸠smith@example.com⸡"},
		{name: "two domains", strict: "⸠joe@example.com⸡@example.org"},
		{name: "final dot", strict: "⸠joe@example.com⸡."},
		{name: "final dot before a slash", strict: "⸠joe@example.com⸡./a"},
		{name: "port and path are not scanned again", strict: "⸠joe@example.com⸡:80/?u=example.org x"},
		{name: "path is not scanned again", strict: "⸠joe@example.com⸡/a/example.org ⸠example.net⸡"},
		{name: "host in the local-part", strict: "⸠john.me@example.com⸡"},
		{name: "host in the local-part before a symbol", strict: "⸠john.me+x@example.com⸡ ⸠john.me_x@example.com⸡"},
		{name: "host before a symbol and no address", strict: "⸠example.com⸡!@home"},
		{name: "path in the local-part", strict: "⸠see/joe@example.com⸡"},
		{name: "host before a path with an at sign", strict: "⸠example.com/joe@example.org⸡"},
		{name: "in angle brackets", strict: "Joe <⸠joe@example.com⸡>, Ann <⸠ann@example.org⸡>"},
		{name: "in parentheses", strict: "(⸠joe@example.com⸡)"},
		{name: "mailto: and a comma", strict: "⸠mailto:anna@example.com⸡, and ⸠mailto:a@b.de⸡,"},
		{name: "underscore after the domain", strict: "joe@example.com_x"},
		{name: "defanged", strict: "joe[@]⸠example.com⸡ joe[@]example[.]com"},
		{name: "mailto", strict: "⸠mailto:joe@example.com⸡"},
		{name: "mailto after a letter", strict: "x⸠mailto:joe@example.com⸡"},
		{name: "mailto with a query", strict: "⸠mailto:joe@example.com⸡?subject=see%20example.org&cc=ann@example.net x"},
		{name: "mailto with several addressees", strict: "⸠mailto:joe@example.com⸡,⸠ann@example.org⸡"},
		{name: "mailto with escapes", strict: "⸠mailto:joe%2Bx@example.com⸡"},
		{name: "mailto with slashes", strict: "mailto://joe@example.com"},
		{name: "mailto and a space", strict: "mailto: ⸠joe@example.com⸡"},
		{name: "mailto with the address in the query", strict: "⸠mailto:?to=joe@example.com⸡"},
		{name: "mention", strict: "@joe and joe@ and @"},
	} {
		d.run(t)
	}
}
