package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/test/long"
)

// fuzzSeeds are texts on which several rules of detection act at once.
var fuzzSeeds = []string{
	"www.みんな١ www.a.みんな١ example.com١", "www.みんな‑да пример.рф‑е www.みんな-да a.みんな‑ль",
	"see http://example.com/a(b)c?d=e&f#g:~:text=h, and mailto:joe.smith@example.com!",
	"請看example.com的網站。然後http://例え。jp/あ「い」。ありがとう。みんな、",
	"“www.example.zzzz” www..com http://user:pass@example.com:80/ http://[::1]:65536/",
	"a.com+b.com_c.com@d.com -e.com- --f.com--g h.com/%41?i?j k.com../l m.com.:80/n",
	"http://2001:db8::1. http://192.168.0.1./a http://0x7f.1 ftp://xn--bcher-kva.de",
	"joe@a.com@b.com //c@d.com ssh://e@f.com g..h@i.com .j@k.com l.@m.com n@o.com/p.q",
	"👉example.com👈 i❤.ws \u200bexample.com\u200b exam\u00adple.com\u200b/a café.fr e\u0301.fr",
	"a.com\xffb.com/\xe3\x81 \xe3\xe3\x80\x82.com a。\x82b．c｡com",
	"HTTPS://EXAMPLE.COM:/A MAILTO:A@B.COM hxxp://a[.]com http:a.com http:/b.com http:///c.com",
	"http://example.com\\@evil.com http://example.com,x@evil.com http://a_b.com http://a.com%20",
	"http://a.com._b.com/ a.com.%6c.b.com c@a.com+b.com mailto:d@a.com,e.me@b.com http://a.com（@b.com（c.com",
	"http://a.com+b.com) \"http://a.com\".Then (a.com)b.com a.com，b.com＿c.com http://a.com:80+b.com http://a.com\u00ad_b.com",
	"*http://a.com/b*, _a.com/b_ |a.com/b|c.com/d| “a.com/b”를 'joe@a.com' {a@b.com} _a@b.com_ -a@b.com 看a@b.com ל-a@b.com",
	"http://a.com/bを見て a.com/bに行 a.com/b에서 a.com/b吧。 a.com/b，c a.com/b（字） a.com/b—c a.com/b… a.com/b'dan a.com/b:ssa a.com/b-ში http://a.com/b和http://c.com/d",
	"a.com-ot a.com-ում a.comහි a.com-ot.b http://a.com-x.b ב-a.com בa.com የa.com Thanks.It www.a.It рф-е пример.рф-е a.com/b🎉 a.com/🎉",
	"wwwhttp://0x7f" + strings.Repeat(".", 64),
	"价¥9a.com 价格￥www.a.com www.a.com￥1 b€9a.com 1ℹ️ℹ️@b.com a.com\u200cم pay★a.com",
	`mailto:\5+@a.com mailto:a%40mailto:a%40a.com`,
	`http:/2130706433 http:\\127.1/x https:\2130706433:80 ftp:/\0x7f.1. http:/8080 http:\\1.2.3.4 xhttp:\\127.1 http:\\127.1.a.com http:\\127.1@a.com`,
	"٠١.com א1.com 1א.com अ\u200dब.com क्\u200d.com faß.de ΒΌΛΟΣ.com ｅｘ．ｃｏｍ",
}

// FuzzDetection compares the scanner with the oracle, in both modes, and
// checks what must hold of any result (invariant I6).
func FuzzDetection(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	s := newDetectionFuzzer(f)
	f.Fuzz(s.check)
}

// A detectionFuzzer has scanners with and without suspects, for strict mode (true) and default
// mode.
type detectionFuzzer struct{ with, without map[bool]*Scanner }

func newDetectionFuzzer(tb testing.TB) *detectionFuzzer {
	s := &detectionFuzzer{with: map[bool]*Scanner{}, without: map[bool]*Scanner{}}
	for _, strict := range []bool{false, true} {
		s.with[strict] = newTestScanner(tb, Options{Strict: strict, Suspects: true})
		s.without[strict] = newTestScanner(tb, Options{Strict: strict})
	}
	return s
}

// check scans a text with each scanner, and compares with the oracle.
func (s *detectionFuzzer) check(t *testing.T, text string) {
	if len(text) > 1<<12 {
		return // the oracle is quadratic
	}
	for _, strict := range []bool{false, true} {
		links := s.with[strict].Append(nil, text)
		checkLinks(t, text, links)
		compare(t, strict, text, links, judge(text, strict))
		var plain []Link
		for _, l := range links {
			if end := s.with[strict].LinkEnd(text, l.Start, l.Start+l.bounds.portEnd); l.Kind == KindURL && end != l.End {
				t.Fatalf("strict %t, %q: LinkEnd ends %q at %d, want %d", strict, text, l.Text, end, l.End)
			}
			if l.Kind != KindSuspect {
				plain = append(plain, l)
			}
		}
		if got := s.without[strict].Append(nil, text); !slices.Equal(got, plain) {
			t.Fatalf("strict %t, %q:\nwithout suspects %+v\nwith them %+v", strict, text, got, plain)
		}
	}
}

// newTestScanner returns a scanner with options that are known to be valid.
func newTestScanner(tb testing.TB, o Options) *Scanner {
	tb.Helper()
	s, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// compare reports where the scanner and the oracle differ.
func compare(t *testing.T, strict bool, text string, links []Link, want []oracleLink) {
	t.Helper()
	for i := range max(len(links), len(want)) {
		var got, exp oracleLink
		if i < len(links) {
			got = oracleLink{links[i].Kind, links[i].Start, links[i].End}
		}
		if i < len(want) {
			exp = want[i]
		}
		if got != exp {
			t.Fatalf("strict %t, %q, link %d:\n scanner %s %q\n  oracle %s %q", strict, text, i,
				got.kind, text[got.start:got.end], exp.kind, text[exp.start:exp.end])
		}
	}
}

// checkLinks checks that links are sorted, disjoint, not empty and on the
// boundaries of code points, and that their parts are in order.
func checkLinks(t *testing.T, text string, links []Link) {
	t.Helper()
	end := 0
	for _, l := range links {
		p := l.bounds
		switch {
		case l.Start < end || l.End <= l.Start || l.End > len(text):
			t.Fatalf("%q: link %d to %d after %d", text, l.Start, l.End, end)
		case l.Text != text[l.Start:l.End]:
			t.Fatalf("%q: link %d to %d has the text %q", text, l.Start, l.End, l.Text)
		case !utf8.RuneStart(text[l.Start]) || l.End < len(text) && !utf8.RuneStart(text[l.End]) && utf8.ValidString(text):
			t.Fatalf("%q: link %d to %d is not on code points", text, l.Start, l.End)
		case l.Kind != KindSuspect && !utf8.ValidString(l.Text):
			t.Fatalf("%q: link %q is not UTF-8", text, l.Text)
		case (l.Kind == KindSuspect) != (l.Reason != ""):
			t.Fatalf("%q: %s with the reason %q", text, l.Kind, l.Reason)
		case p.schemeEnd < 0 || p.hostStart < p.schemeEnd || p.hostEnd < p.hostStart || p.portEnd < p.hostEnd || p.portEnd > len(l.Text):
			t.Fatalf("%q: link %q has the bounds %+v", text, l.Text, p)
		case l.Kind != KindSuspect && p.hostEnd == p.hostStart:
			t.Fatalf("%q: link %q has no host", text, l.Text)
		case l.Kind == KindURL && p.portEnd < len(l.Text) && byteClass[l.Text[p.portEnd]]&initiatorByte == 0:
			t.Fatalf("%q: link %q has no path, query or fragment after the port", text, l.Text)
		}
		if ascii, err := hostToASCII(l.host()); l.ascii != "" && (err != nil || l.ascii != ascii) {
			t.Fatalf("%q: link %q has the ASCII host %q, want %q, %v", text, l.Text, l.ascii, ascii, err)
		}
		end = l.End
	}
}

// tokens are texts that the rules of detection look for. Texts made of tokens test more rules than
// texts made of random bytes.
var tokens = []string{
	"a", "b", "A", "Z", "1", "255", "0x7f", "example", "foo", "com", "CoM", "jp", "рф", "みんな", "中国", "xn--p1ai", "zzzz", "xn--", "xn--bcher-kva", "bücher",
	".", ".", ".", "..", "。", "．", "｡", "-", "--", "_", "%", "%41",
	"http://", "https://", "ftp://", "HTTP://", "http:", "xhttp://", "://", "//", "mailto:", "MailTo:", "www.", "WWW.", "www",
	"@", "@", ":", ":80", ":0", ":65536", ":80a", "/", "?", "#", ":~:", "&", "=", ",", ";", "!", "+", "'", "\"", "\\", "|", "~",
	" ", "\n", "\t", "\u00a0", "\u3000",
	"漢", "字", "あ", "ア", "한", "ก", "é", "e\u0301", "ß", "ς", "Σ", "ｅ", "א", "م", "١", "क\u094d", "𠀀",
	"\u200b", "\u00ad", "\u200d", "\u200c", "\ufeff", "\u0301", "\u0378", "\ue000", "\ufffd", "\u2028",
	"“", "”", "«", "—", "…", "•", "、", "，", "「", "」", "（", "/／", "👉", "❤\ufe0f", "→",
	"(", ")", "[", "]", "<", ">", "{", "}", "[::1]", "2001:db8::1", "::", "192.168.0.1", "1.2.3",
	"\xff", "\xe3", "\x80\x82", "\xef\xbc", "\x00",
	"*", "**", "‘", "’", "„", "»", "～", "を", "に", "から", "です", "는", "에서", "를", "的", "吧", "ครับ", "-ot", "-ում", "හි", "한국", ".It", "Is", "www.a.It", "ב-", "በ",
	"https://a.com/b", "joe@a.com", "'dan", "’ya", ":ssa", "'s", "ə", "🎉", "/a", "/ab", "?q=1", "，", "।", "؟", "‑", "{", "}", "&x=1", "_https://a.com/b_", "ü", "-а",
	"._", ".%6c.", "%2e", "＿", "＠", "に。com", "에서。com＠!a.com", "x.evil.com", "+x.evil.com/", "evil.com:80", "joe.me@", "$", "=", "`", "^",
	"©", "│", "1\ufe0f\u20e3", "☎\ufe0f", "https://…で", ":8a", "－", "״", "у", "http://a:80、",
}

// FuzzTokens is FuzzDetection on texts made of tokens: each byte of the input is the number of a
// token.
func FuzzTokens(f *testing.F) {
	s := newDetectionFuzzer(f)
	f.Add([]byte{0, 20, 9, 47, 3})
	f.Add([]byte{32, 7, 20, 9, 53, 48, 7, 20, 9, 50, 1})
	f.Fuzz(func(t *testing.T, numbers []byte) {
		s.check(t, fromTokens(numbers))
	})
}

// fromTokens returns the text that the numbers of tokens stand for.
func fromTokens(numbers []byte) string {
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(tokens[int(n)%len(tokens)])
	}
	return b.String()
}

// TestDetectionAgainstOracle is FuzzTokens on texts that are the same in each run. At least a third
// must have links, since texts without any would prove nothing.
func TestDetectionAgainstOracle(t *testing.T) {
	s := newDetectionFuzzer(t)
	texts := long.Rows(20000, 2000)
	withLinks := 0
	random := rand.New(rand.NewPCG(58, 17))
	for range texts {
		numbers := make([]byte, 1+random.IntN(24))
		for i := range numbers {
			numbers[i] = byte(random.IntN(256))
		}
		// A text without a host tests little.
		text := fromTokens(numbers[:len(numbers)/2]) + "a.com" + fromTokens(numbers[len(numbers)/2:])
		s.check(t, text)
		if len(judge(text, false)) > 0 {
			withLinks++
		}
	}
	t.Logf("%d of %d texts hold links or suspects", withLinks, texts)
	if withLinks < texts/3 {
		t.Errorf("only %d of %d texts hold links or suspects", withLinks, texts)
	}
}

// TestFewTokensAgainstOracle is FuzzTokens on texts that repeat a few tokens, so that many orders
// of these occur.
func TestFewTokensAgainstOracle(t *testing.T) {
	s := newDetectionFuzzer(t)
	random := rand.New(rand.NewPCG(58, 19))
	central := []string{"192.168.0.1", "@", "http://", "www.", "。", "%41", "_", ":80", "x://", "file:", "mailto:", "❤", "local", "//[::1]"}
	for i := range long.Rows(1500, 150) {
		few := []string{".", "com", central[i%len(central)]}
		for range 4 + random.IntN(10) {
			few = append(few, tokens[random.IntN(len(tokens))])
		}
		for range 30 {
			var b strings.Builder
			for range 1 + random.IntN(14) {
				b.WriteString(few[random.IntN(len(few))])
			}
			s.check(t, b.String())
		}
	}
}

// tailTokens are texts that the rules about the end of a path, query or fragment look for:
// separators, ASCII, other text.
var tailTokens = [3][]string{
	append(strings.Fields("/ ? # :~: & = , . - : ( ) [ ] < * _ ' ’ :// https://a.com/b"), ""),
	append(strings.Fields("ab a1 a A % %2e ~"), ""),
	append(strings.Fields("é ｅ ə ー 漢 あ ア に を から です 는 에서 를 的 吧 下载 ครับ … — ， 。 । （ ） 「 」 “ ” « »"+
		" 'dan ’ya :ssa 's -ში 👉 🎉 ❤\ufe0f \u0301 \xff"), ""),
}

// TestEndsAgainstOracle is FuzzTokens on links whose ends are made of tailTokens.
func TestEndsAgainstOracle(t *testing.T) {
	s := newDetectionFuzzer(t)
	random := rand.New(rand.NewPCG(58, 18))
	for range long.Rows(20000, 2000) {
		var b strings.Builder
		b.WriteString([]string{"https://a.com/", "a.com?", "*www.a.It:80x#", "'https://a.com#"}[random.IntN(4)])
		for i := range 3 * (1 + random.IntN(4)) {
			from := tailTokens[i%3]
			b.WriteString(from[random.IntN(len(from))])
		}
		s.check(t, b.String())
	}
}
