package policy_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// newJudge returns a Judge with the options.
func newJudge(tb testing.TB, o policy.Options) *policy.Judge {
	tb.Helper()
	j, err := policy.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return j
}

// parse reads a link.
func parse(tb testing.TB, s string) engine.Link {
	tb.Helper()
	l, err := engine.ParseLink(s)
	if err != nil {
		tb.Fatalf("%q: %v", s, err)
	}
	return l
}

// A judged is a link, a code, and the severity that the code must have for it.
type judged struct {
	name     string
	link     string
	code     policy.Code
	severity policy.Severity // SeverityNone: no finding of the code
}

// check judges links and compares the severity of each.
func check(t *testing.T, tests []judged) {
	t.Helper()
	j := newJudge(t, policy.Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := j.Link(parse(t, tt.link))
			worst := policy.SeverityNone
			for _, f := range v.Findings {
				if f.Code == tt.code {
					worst = max(worst, f.Severity)
				}
				for _, c := range f.Detail {
					if c < 0x20 || c > 0x7e {
						t.Errorf("detail %q is not printable ASCII", f.Detail)
					}
				}
			}
			if worst != tt.severity {
				t.Errorf("%s: %s is %s, want %s; findings %+v", tt.link, tt.code, worst, tt.severity, v.Findings)
			}
		})
	}
}

func TestMixedScript(t *testing.T) {
	check(t, []judged{
		{"Latin and Cyrillic", "http://example-раypal.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"the same as A-label", "http://xn--aypal-uye.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"in a subdomain", "http://bаnk.example.com/", policy.CodeMixedScript, policy.SeverityHigh},
		{"Latin and Greek", "http://αlpha.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"Latin and Cherokee", "http://aᏣ.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"a word of Latin and a word of Cyrillic", "http://cfp-франк.com", policy.CodeMixedScript, policy.SeverityLow},
		{"a word of Latin and one that reads as Latin", "http://login-аррӏе.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"an impersonated name and a word of Cyrillic", "http://paypal-вход.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"a word of Latin and one of Thai", "http://shop-ไทย.com", policy.CodeMixedScript, policy.SeverityLow},
		{"Latin and Thai", "http://shopไทย.com", policy.CodeMixedScript, policy.SeverityMedium},
		{"Cyrillic and Greek", "http://паπα.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"in an address", "mail@раypal.com", policy.CodeMixedScript, policy.SeverityHigh},
		{"Latin and Japanese", "http://abcラーメン.jp", policy.CodeMixedScript, policy.SeverityNone},
		{"Latin and Korean", "http://it한국.kr", policy.CodeMixedScript, policy.SeverityNone},
		{"Latin and Chinese", "http://abc中文.cn", policy.CodeMixedScript, policy.SeverityNone},
		{"labels of different scripts", "http://www.пример.com", policy.CodeMixedScript, policy.SeverityNone},
		{"Cyrillic with digits", "http://24-часа.рф", policy.CodeMixedScript, policy.SeverityNone},
		{"ASCII", "http://example.com", policy.CodeMixedScript, policy.SeverityNone},
		{"Persian with ZWNJ", "http://نامه\u200cای.com", policy.CodeMixedScript, policy.SeverityNone},
	})
}

func TestWholeScript(t *testing.T) {
	check(t, []judged{
		{"Cyrillic", "http://раураӏ.com", policy.CodeWholeScript, policy.SeverityMedium},
		{"Cyrillic word below com", "http://сосо.com", policy.CodeWholeScript, policy.SeverityLow},
		{"A-label", "http://xn--80ak6aa92e.com", policy.CodeWholeScript, policy.SeverityMedium},
		{"Armenian", "http://օոհ.com", policy.CodeWholeScript, policy.SeverityMedium},
		{"Cyrillic below рф", "http://сосо.рф", policy.CodeWholeScript, policy.SeverityNone},
		{"Cyrillic below ua", "http://роса.ua", policy.CodeWholeScript, policy.SeverityNone},
		{"Cyrillic that does not read as Latin", "http://пример.com", policy.CodeWholeScript, policy.SeverityNone},
		{"Latin that reads as Cyrillic", "http://scope.com", policy.CodeWholeScript, policy.SeverityNone},
		{"Latin with an accent", "http://cаfé.com", policy.CodeWholeScript, policy.SeverityNone},
		{"Chinese", "http://中文网.com", policy.CodeWholeScript, policy.SeverityNone},
	})
}

func TestLookalike(t *testing.T) {
	check(t, []judged{
		{"one Cyrillic letter", "http://pаypal.com", policy.CodeLookalike, policy.SeverityHigh},
		{"all Cyrillic", "http://раураӏ.com", policy.CodeLookalike, policy.SeverityHigh},
		{"another top-level domain", "http://раураӏ.net", policy.CodeLookalike, policy.SeverityHigh},
		{"A-label", "http://xn--80ak6aa92e.com", policy.CodeLookalike, policy.SeverityHigh},
		{"digit", "http://paypa1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"digits", "http://g00gle.com/x", policy.CodeLookalike, policy.SeverityHigh},
		{"rn", "http://rnicrosoft.com", policy.CodeLookalike, policy.SeverityHigh},
		{"vv", "http://vvalmart.com", policy.CodeLookalike, policy.SeverityMedium},
		{"accent", "http://páypal.com", policy.CodeLookalike, policy.SeverityMedium},
		{"hyphen", "http://pay-pal.com", policy.CodeLookalike, policy.SeverityMedium},
		{"as a subdomain", "http://paypa1.example.net", policy.CodeLookalike, policy.SeverityHigh},
		{"as leading labels", "http://paypal.com.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"as inner labels", "http://www.paypal.com.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels and a hyphen", "http://paypal.com-login.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels of a country", "http://amazon.co.uk.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels of a short domain", "http://paypal.com.xyz", policy.CodeLookalike, policy.SeverityMedium},
		{"joined", "http://paypal-com.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"short name with its top-level domain", "http://dh1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"as leading labels with the domain of a country", "http://amazon.de.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"and a hyphen", "http://www.ebay.de-login.example.net/", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels with two suffixes", "http://google.co.in.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels with com of a country", "http://amazon.com.br.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"below a company's suffix", "http://paypal.com.de", policy.CodeLookalike, policy.SeverityMedium},
		{"a part of the leading labels", "http://secure-paypal.com.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels and letters beyond ASCII", "http://paypal.com例え.io", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels of a country and letters beyond ASCII", "http://paypal.de例え.io", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels with com", "http://barclays.com-verify.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"as leading labels with com and a dot", "http://deutsche-bank.com.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"joined with more", "http://paypal-com-login.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"beside a lure", "http://secure-paypal.net", policy.CodeLookalike, policy.SeverityMedium},
		{"beside a lure, as an address", "service@paypal-support.info", policy.CodeLookalike, policy.SeverityMedium},
		{"beside a lure below a company's suffix", "http://paypal-login.web.app/", policy.CodeLookalike, policy.SeverityMedium},
		{"a part that looks like it", "http://login-paypa1.net", policy.CodeLookalike, policy.SeverityHigh},
		{"a part with an i for an l beside a lure", "http://paypai-support.com", policy.CodeLookalike, policy.SeverityMedium},
		{"a part with an i for an l beside another word", "http://paypai-fans.com", policy.CodeLookalike, policy.SeverityNone},
		{"an honest word beside a lure", "http://über-login.de", policy.CodeLookalike, policy.SeverityNone},
		{"www without its dot", "http://wwwpaypal.com", policy.CodeLookalike, policy.SeverityMedium},
		{"www and a hyphen", "http://www-paypal.com", policy.CodeLookalike, policy.SeverityMedium},
		{"a short name as leading labels", "http://dhl.com.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"a short name and a hyphen", "http://www.dhl.com-parcel.net", policy.CodeLookalike, policy.SeverityMedium},
		{"what looks like it", "http://dh1.com.example.net", policy.CodeLookalike, policy.SeverityHigh},
		{"a short name beside a lure", "http://dhl-verify.net", policy.CodeLookalike, policy.SeverityMedium},
		{"a short name in a part", "http://track-dhl.com.example.net", policy.CodeLookalike, policy.SeverityMedium},
		{"a short name on its owner's host", "http://ups.de.example.com", policy.CodeLookalike, policy.SeverityNone},
		{"a short name that is a word beside a lure", "http://web-login.net", policy.CodeLookalike, policy.SeverityNone},
		{"a short name in another country", "http://dhl.de", policy.CodeLookalike, policy.SeverityNone},
		{"a short name with a digit elsewhere", "http://dh1.example.net", policy.CodeLookalike, policy.SeverityNone},
		{"a word with an accent", "http://xn--ber-goa.com", policy.CodeLookalike, policy.SeverityNone},
		{"another accent on that name", "http://ubẹr.com", policy.CodeLookalike, policy.SeverityMedium},
		{"beside a lure, on its owner's host", "http://okta-login.example.com", policy.CodeLookalike, policy.SeverityNone},
		{"beside another word", "http://paypal-community.com", policy.CodeLookalike, policy.SeverityNone},
		{"a word of English beside a lure", "http://secure-booking.com", policy.CodeLookalike, policy.SeverityNone},
		{"the owner's own", "http://login-paypal.paypal.com", policy.CodeLookalike, policy.SeverityNone},
		{"a domain in a country", "http://amazon.de", policy.CodeLookalike, policy.SeverityNone},
		{"below a domain in a country", "http://www.amazon.co.uk", policy.CodeLookalike, policy.SeverityNone},
		{"a word that begins a label as a country", "http://slack.my-company.example.com", policy.CodeLookalike, policy.SeverityNone},
		{"a country and a lure", "http://amazon.it-login.example.com", policy.CodeLookalike, policy.SeverityMedium},
		{"a part of the world", "http://slack.eu.example.com", policy.CodeLookalike, policy.SeverityNone},
		{"a program on an honest host", "http://gitlab.de.example.com", policy.CodeLookalike, policy.SeverityNone},
		{"a longer label", "http://amazon.design.example.com", policy.CodeLookalike, policy.SeverityNone},
		{"address", "service@paypa1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"where any user can have a name", "http://paypa1.sharepoint.com", policy.CodeLookalike, policy.SeverityHigh},
		{"after a label with what looks like a dot", "http://ا٠ب.paypa1.com", policy.CodeLookalike, policy.SeverityHigh},
		{"an i for an l", "http://paypai.com", policy.CodeLookalike, policy.SeverityMedium},
		{"an I that looks like an l as typed", "http://PayPaI.com", policy.CodeLookalike, policy.SeverityHigh},
		{"a longer name below another top-level domain", "http://face-book.net", policy.CodeLookalike, policy.SeverityMedium},
		{"below the domain of tenants", "http://example.sharepoint.com", policy.CodeLookalike, policy.SeverityNone},
		{"upper case", "http://PAYPAL.COM", policy.CodeLookalike, policy.SeverityNone},
		{"mixed case", "http://LinkedIn.com", policy.CodeLookalike, policy.SeverityNone},
		{"an apple in Swedish", "http://äpple.se", policy.CodeLookalike, policy.SeverityNone},
		{"without the hyphen that a name has", "http://deutschebank.de", policy.CodeLookalike, policy.SeverityNone},
		{"the domain itself", "http://paypal.com", policy.CodeLookalike, policy.SeverityNone},
		{"below the domain", "http://www.pay-pal.paypal.com", policy.CodeLookalike, policy.SeverityNone},
		{"another country", "http://paypal.de", policy.CodeLookalike, policy.SeverityNone},
		{"another country, two suffixes", "http://www.amazon.com.br", policy.CodeLookalike, policy.SeverityNone},
		{"name as a subdomain", "http://apple.stackexchange.com", policy.CodeLookalike, policy.SeverityNone},
		{"name within a name", "http://grapple.com", policy.CodeLookalike, policy.SeverityNone},
		{"short name elsewhere", "http://dh1.org", policy.CodeLookalike, policy.SeverityNone},
		{"full-width letters are the same domain", "http://ｐａｙｐａｌ.com", policy.CodeLookalike, policy.SeverityNone},
	})
}

// TestLongLabels: the label of a finding is cut, and a very long host takes no long time.
func TestLongLabels(t *testing.T) {
	j := newJudge(t, policy.Options{})
	long := strings.Repeat("а.", 1<<19) + "com"
	scanner := newScanner(t)
	links := scanner.Append(nil, "http://"+long+" http://"+strings.Repeat("ж", 400)+"@example.com")
	if len(links) == 0 {
		t.Fatal("no suspects")
	}
	for _, l := range links {
		for _, f := range j.Link(l).Findings {
			if len(f.Label) > 253 || !utf8.ValidString(f.Label) {
				t.Errorf("%s: a label of %d bytes", f.Code, len(f.Label))
			}
		}
	}
}

func TestProtected(t *testing.T) {
	j := newJudge(t, policy.Options{Protected: []string{"bücher-müller.net", "mybank.net"}})
	tests := []struct {
		name, link string
		want       policy.Severity
	}{
		{"itself", "http://bücher-müller.net", policy.SeverityNone},
		{"itself as A-label", "http://xn--bcher-mller-thbd.net", policy.SeverityNone},
		{"without the mark", "http://bucher-müller.net", policy.SeverityMedium},
		{"Cyrillic letter", "http://mybаnk.net", policy.SeverityHigh},
		{"digit", "http://rnybank.org", policy.SeverityHigh},
		{"below", "http://login.mybank.net", policy.SeverityNone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v := j.Link(parse(t, tt.link)); v.Worst() != tt.want {
				t.Errorf("%+v", v.Findings)
			}
		})
	}
	if _, err := policy.New(policy.Options{Protected: []string{"com"}}); err == nil {
		t.Error("a top-level domain can be protected")
	}
}

func TestSeverities(t *testing.T) {
	const link = "http://pаypal.com"
	tests := []struct {
		name       string
		severities map[policy.Code]policy.Severity
		worst      policy.Severity
		unicode    bool
	}{
		{"default", nil, policy.SeverityHigh, false},
		{"lowered", map[policy.Code]policy.Severity{policy.CodeMixedScript: policy.SeverityInfo, policy.CodeLookalike: policy.SeverityLow}, policy.SeverityLow, true},
		{"off", map[policy.Code]policy.Severity{policy.CodeMixedScript: policy.SeverityNone, policy.CodeLookalike: policy.SeverityNone}, policy.SeverityNone, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := newJudge(t, policy.Options{Severities: tt.severities}).Link(parse(t, link))
			if v.Worst() != tt.worst || v.DisplayUnicode != tt.unicode {
				t.Errorf("worst %s, unicode %t; findings %+v", v.Worst(), v.DisplayUnicode, v.Findings)
			}
		})
	}
	if _, err := policy.New(policy.Options{Severities: map[policy.Code]policy.Severity{"no-such-code": policy.SeverityLow}}); err == nil {
		t.Error("an unknown code is accepted")
	}
}

// TestFindingJSON: the names of fields and severities in JSON stay, since other programs read them.
func TestFindingJSON(t *testing.T) {
	f := policy.Finding{Code: policy.CodeIPHost, Severity: policy.SeverityLow, Label: "192.0.2.1", Detail: "x"}
	const want = `{"code":"ip-host","severity":"low","label":"192.0.2.1","detail":"x"}`
	got, err := json.Marshal(f)
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	var back policy.Finding
	if err := json.Unmarshal(got, &back); err != nil || back != f {
		t.Errorf("read back: %+v, %v", back, err)
	}
}

func TestSeverityText(t *testing.T) {
	for s := policy.SeverityNone; s <= policy.SeverityHigh; s++ {
		var got policy.Severity
		if err := got.UnmarshalText([]byte(s.String())); err != nil || got != s {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	var got policy.Severity
	if err := got.UnmarshalText([]byte("critical")); err == nil {
		t.Error("an unknown name is accepted")
	}
}

// TestLinkAllocates: most links of mail have an honest ASCII host, and the judge allocates little
// for them.
func TestLinkAllocates(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, link := range []string{"https://www.example.com/path?query", "www.pay-day.example.org", "user@example.org"} {
		l := parse(t, link)
		if n := testing.AllocsPerRun(100, func() { j.Link(l) }); n != 0 {
			t.Errorf("%s: %g allocations", link, n)
		}
	}
}

func BenchmarkLink(b *testing.B) {
	j := newJudge(b, policy.Options{})
	for _, bench := range []struct{ name, link string }{
		{"ascii", "https://www.example.com/path?query"},
		{"address", "anna.muster@mail.example.org"},
		{"escaped", "https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE_%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80"},
		{"tracking", "https://click.example.com/?u=https%3A%2F%2Fshop.example.com%2Fa%3Fb%3Dc%26d%3De&id=0123456789abcdef"},
		{"german", "https://de.wikipedia.org/wiki/%C3%9Cbersicht_der_St%C3%A4dte"},
		{"arabic-host", "http://موقع.وزارة-الاتصالات.مصر"},
		{"cyrillic-host", "https://www.университет.рф/"},
		{"lookalike", "http://раураӏ.com"},
	} {
		l := parse(b, bench.link)
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				j.Link(l)
			}
		})
	}
}

// TestZeroJudge judges as New(Options{}) does.
func TestZeroJudge(t *testing.T) {
	judge := newJudge(t, policy.Options{})
	var zero policy.Judge
	for _, text := range []string{"http://paypa1.com/", "http://xn--pple-43d.com/", "https://example.com/p\u0430ypal", "joe@example.com", "http://192.0.2.1/"} {
		link := parse(t, text)
		if diff := cmp.Diff(judge.Link(link), zero.Link(link)); diff != "" {
			t.Errorf("%s (-New +zero):\n%s", text, diff)
		}
		named := []engine.Link{link}
		target := parse(t, "https://example.net/")
		if diff := cmp.Diff(judge.TextTarget(text, named, target), zero.TextTarget(text, named, target)); diff != "" {
			t.Errorf("%s as text (-New +zero):\n%s", text, diff)
		}
	}
}

// BenchmarkProtected judges a host that looks like none of ten protected domains, and the same host
// without protected domains.
func BenchmarkProtected(b *testing.B) {
	for _, bench := range []struct {
		name string
		own  []string
	}{{"none", nil}, {"ten", ownDomains[:10]}} {
		j := newJudge(b, policy.Options{Protected: bench.own})
		l := parse(b, "https://www.nordlicht-verlag.com/path")
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				j.Link(l)
			}
		})
	}
}

// TestRememberedHosts: the judge caches results for hosts; the findings are the same with the cache
// as without.
func TestRememberedHosts(t *testing.T) {
	texts := []string{
		"http://example.com/", "http://paypal.com/", "http://paypa1.com/", "http://www.paypa1.com/", "http://p\u0430ypal.com/",
		"http://xn--pypal-4ve.com/", "http://ｐａｙｐａ１.com/", "http://PAYPA1.com/", "http://my_paypa1.com/", "http://wikipedia.org/", "http://wikipédia.org/",
	}
	used := newJudge(t, policy.Options{})
	for range 3 {
		for _, text := range texts {
			link, fresh := parse(t, text), newJudge(t, policy.Options{})
			if diff := cmp.Diff(fresh.Link(link), used.Link(link)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", text, diff)
			}
		}
	}
}
