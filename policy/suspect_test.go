package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// TestSuspects: for a suspect, the judge reports the reason as a finding, and also judges the host.
func TestSuspects(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{})
	tests := []struct {
		name, text string
		code       policy.Code
		severity   policy.Severity
	}{
		{"userinfo that reads as a host", "http://www.example.com@example.net/", policy.CodeUserinfo, policy.SeverityHigh},
		{"user name", "http://john@example.net/", policy.CodeUserinfo, policy.SeverityMedium},
		{"userinfo that begins like a host", "http://paypal.com%2flogin@example.net/", policy.CodeUserinfo, policy.SeverityHigh},
		{"backslash before the at", `http://example.net\@paypal.com`, policy.CodeUserinfo, policy.SeverityHigh},
		{"anonymous user of ftp", "ftp://anonymous@ftp.example.net/", policy.CodeUserinfo, policy.SeverityLow},
		{"empty userinfo", "http://@example.net/", policy.CodeUserinfo, policy.SeverityMedium},
		{"unknown top-level domain", "http://example.zzzz/", policy.CodeUnknownTLD, policy.SeverityLow},
		{"one letter", "http://example.a/", policy.CodeInvalidTLD, policy.SeverityLow},
		{"no top-level domain", "http://localhost/", policy.CodeUnknownTLD, policy.SeverityLow},
		{"empty label", "http://example..com/", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"underscore", "http://example.com_host/", policy.CodeInvalidIDNA, policy.SeverityLow},
		{"underscore in a name in use", "http://my_host.example.com/", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"broken A-label", "http://xn--a.com/", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"hyphen at the end of a label", "http://abc-.example.com/", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"hexadecimal address", "http://0xc0000201/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"version behind mailto", "mailto:express@4.18.2", policy.CodeObfuscatedIP, policy.SeverityNone},
		{"octal address", "http://0300.0.2.1/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"too long", "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com/", policy.CodeTooLong, policy.SeverityLow},
		{"host that goes on behind a final dot", "https://paypal.com._login.evil.com/", policy.CodeLookalike, policy.SeverityMedium},
		{"host that goes on behind a percent-escape", "https://paypal.com.%6c.evil.com/", policy.CodeOverEscaped, policy.SeverityMedium},
		{"host that goes on behind a symbol", "https://paypal.com+x.evil.com/", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"bare host that goes on", "paypal.com+x.evil.com", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"address that goes on", "joe@paypal.com+x.evil.com", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"local-part of an address is not userinfo", "joe@paypal.com+x.evil.com", policy.CodeUserinfo, policy.SeverityNone},
		{"local-part after mailto is not userinfo", "mailto:joe@paypal.com._evil.com", policy.CodeUserinfo, policy.SeverityNone},
		{"userinfo with a full-width bracket", "http://example.com（@evil.com/", policy.CodeUserinfo, policy.SeverityHigh},
		{"site and address of one domain", "https://www.example.com，joe@example.com", policy.CodeUserinfo, policy.SeverityLow},
		{"site and address of two domains", "https://www.example.com，joe@example.net", policy.CodeUserinfo, policy.SeverityHigh},
		{"two sites and an address", "https://paypal.com，https，example.com，joe@example.com", policy.CodeUserinfo, policy.SeverityHigh},
		{"lookalike with an unknown top-level domain", "http://pаypal.zzzz/", policy.CodeLookalike, policy.SeverityHigh},
		{"domain before an underscore", "https://paypal.com_login.evil.example.net/", policy.CodeLookalike, policy.SeverityMedium},
		{"underscore for the dot", "https://paypal_com.evil.example.net/", policy.CodeLookalike, policy.SeverityMedium},
		{"underscores for all dots", "https://www_paypal_com.evil.example.net/", policy.CodeLookalike, policy.SeverityMedium},
		{"name beside an underscore", "https://login_paypa1.evil.example.net/", policy.CodeLookalike, policy.SeverityHigh},
		{"underscore of the domain itself", "https://dkim._domainkey.paypal.com/", policy.CodeLookalike, policy.SeverityNone},
		{"honest underscore", "https://my_host.example.com/", policy.CodeLookalike, policy.SeverityNone},
		{"user name before a word", "http://user:password@host/", policy.CodeUserinfo, policy.SeverityLow},
		{"user name before a word with a port", "http://user:password@host:port/", policy.CodeUserinfo, policy.SeverityLow},
		{"host as user name before a word", "http://paypal.com@host/", policy.CodeUserinfo, policy.SeverityHigh},
		{"user name before a number", "http://user@2130706433/", policy.CodeUserinfo, policy.SeverityMedium},
		{"scheme with a hyphen", "http://-prefix", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"scheme with a hyphen and a word beyond ASCII", "http://-რედ", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"hyphen before a host", "http://-example.com", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"scheme in quotes and a suffix", "http://”-rekin", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"scheme with a comma", "http://，只需要像", policy.CodeRestrictedCharacter, policy.SeverityNone},
		{"comma before a host", "http://，пример.com", policy.CodeRestrictedCharacter, policy.SeverityMedium},
		{"symbol for letters before a word", "http://™раураl", policy.CodeMixedScript, policy.SeverityHigh},
		{"scheme with a mark of direction", "http://\u200e", policy.CodeBidiControl, policy.SeverityNone},
		{"scheme with an override", "http://\u202emoc", policy.CodeBidiControl, policy.SeverityHigh},
		{"mark of direction before a host", "http://\u200eexample.com", policy.CodeBidiControl, policy.SeverityHigh},
		{"quotation of a host of no top-level domain", "http://service.namespace.svc`", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"host cut at a hyphen", "http://www.exam-", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"quotation of a first label", "www.`", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"host that begins a variable", "https://accounts.$", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"host cut at another hyphen", "http://www.exam\u2010", policy.CodeInvalidIDNA, policy.SeverityNone},
		{"quotation of a number", "http://127.0x1`", policy.CodeInvalidIDNA, policy.SeverityMedium},
		{"mixed scripts with an underscore", "http://ехаmple_a.com/", policy.CodeMixedScript, policy.SeverityHigh},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			links := scanner.Append(nil, "see "+tt.text+" now")
			if len(links) != 1 || links[0].Kind != engine.KindSuspect && !strings.Contains(tt.text, "_") {
				t.Fatalf("%q: not a single suspect, nor a host with an underscore: %+v", tt.text, links)
			}
			v := j.Link(links[0])
			worst := policy.SeverityNone
			for _, f := range v.Findings {
				if f.Code == tt.code {
					worst = max(worst, f.Severity)
				}
			}
			if worst != tt.severity {
				t.Errorf("%s: %s is %s, want %s; findings %+v", links[0].Reason, tt.code, worst, tt.severity, v.Findings)
			}
		})
	}
}

// TestOtherSchemes: a host that no browser looks up has no finding.
func TestOtherSchemes(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{})
	for _, text := range []string{"tel://110", "x-apple-data-detectors://0", "file:///etc/hosts", "postgres://db/x"} {
		links := scanner.Append(nil, text)
		if len(links) != 1 || links[0].Reason != engine.ReasonNoHost || j.Link(links[0]).Worst() != policy.SeverityNone {
			t.Errorf("%s: %+v", text, links)
		}
	}
	for _, text := range []string{"www.paypa1.com:443x/", "//paypa1\u2764.com www.paypa1.com:80a"} {
		links := scanner.Append(nil, text)
		if len(links) == 0 || j.Link(links[len(links)-1]).Worst() < policy.SeverityHigh {
			t.Errorf("%s: %+v", text, links)
		}
	}
}

// TestUserinfoLabel: the label of the finding is the part of the userinfo that misleads.
func TestUserinfoLabel(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for link, want := range map[string]string{
		"http://www.example.com@example.net/": "www.example.com",
		"http://john:secret@example.net/":     "john",
		"http://:secret@example.net/":         "@example.net",
		`http://example.net\@paypal.com`:      `example.net\@paypal.com`,
		`https://example.net\x@paypal.com/y`:  `example.net\x@paypal.com`,
		`https://example.net/\@paypal.com`:    "",
		`https://example.net\paypal.com`:      "",
	} {
		got := ""
		for _, f := range j.Link(parse(t, link)).Findings {
			if f.Code == policy.CodeUserinfo {
				got = f.Label
			}
		}
		if got != want {
			t.Errorf("%s: label %q, want %q", link, got, want)
		}
	}
}

// TestUnderscores: a name with underscores in place of hyphens is found.
func TestUnderscores(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{})
	worst := func(host string) policy.Severity {
		worst := policy.SeverityNone
		for _, l := range scanner.Append(nil, "http://"+host+"/") {
			worst = max(worst, j.Link(l).Worst())
		}
		return worst
	}
	found := 0
	for _, brand := range brands {
		name, _, _ := strings.Cut(brand, ".")
		for _, before := range []string{"", "login-", "www-", "a.b-"} {
			for _, spoof := range []string{brand, strings.ReplaceAll(brand, ".", "-"), name + "1", strings.Replace(name, "o", "0", 1), strings.Replace(name, "l", "1", 1)} {
				for _, behind := range []string{".evil.example.net", "-login.evil.example.net", "-x.example.org"} {
					with := worst(before + spoof + behind)
					if got := worst(strings.ReplaceAll(before+spoof+behind, "-", "_")); with >= policy.SeverityMedium && got < with {
						t.Errorf("%s is %s, with underscores %s", before+spoof+behind, with, got)
					}
					if with >= policy.SeverityMedium {
						found++
					}
				}
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d spoofs", found)
	}
}

// TestSentences: if no space separates two sentences, and the first ends in a sign, both are not a
// host with that sign.
func TestSentences(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{})
	for text, want := range map[string]bool{
		"It costs 5€.It is cheap.": false, "Costa 5€.No es caro": false, "Ok👍.So geht's": false, "Ok👍🏽.So geht's": false, "Word®.No": false,
		"nur 9.90€.Am Montag": false, "1.299.50€.Am": false, "20°.So warm": false, "Danke❤️.Es war schön": false, "5½.So": false, "Bitte ☺.Der Rest": false, "PayPal®.No fees": false, "Danke👍👍.So": false,
		"5€.it": true, "5€.IT": true, "a.5€.It": true, "https://5€.It": true, "5€.It/x": true, "5€.It:80": true, "paypal€.Com": true,
		"9.90€.am": true, "https://9.90€.Am": true, "192.0.2.077€.Am": true, "9.a0€.Am": true, "€9.84¥.Am": true,
		"раypal€.It": true, "paypa1😀.It": true,
		"g🅾🅾gle👍.Ru": true, "paypa🅻👍.Ru": true, "rnicrosof🆃👍.Ru": true, "yaho⓪👍.Co": true, "amazⓞⓝ♥.Ru": true, "yaho⓪.Co": true,
	} {
		found := false
		for _, l := range scanner.Append(nil, text) {
			found = found || j.Link(l).Worst() >= policy.SeverityMedium
		}
		if found != want {
			t.Errorf("%s: found %t, want %t", text, found, want)
		}
	}
}

// TestEscapedHostIsDecodedFirst: a host with escaped letters is judged as browsers decode it, in a
// text as in an href. Characters that no host may have are still a finding.
func TestEscapedHostIsDecodedFirst(t *testing.T) {
	scanner, j := newScanner(t), newJudge(t, policy.Options{})
	codes := func(l engine.Link) (list []string) {
		for _, f := range j.Link(l).Findings {
			list = append(list, string(f.Code)+" "+f.Severity.String())
		}
		slices.Sort(list)
		return slices.Compact(list) // other programs may open a part of the host
	}
	rnd := rand.New(rand.NewPCG(77, 77))
	for _, host := range []string{"www.example.com", "example.org", "my-shop.example.net", "my_shop.example.net", "bücher.example", "пример.рф", "www.paypa1.com", "example.zzzz", "192.0.2.1"} {
		for range 20 {
			url, at := "http://", rnd.IntN(len(host)-len("com"))
			for i := range len(host) {
				if c := host[i]; i == at || c != '.' && rnd.IntN(3) == 0 {
					url += fmt.Sprintf("%%%02x", c)
				} else {
					url += string([]byte{c})
				}
			}
			if !utf8.ValidString(url) {
				continue
			}
			links := scanner.Append(nil, "see "+url+" now")
			if len(links) != 1 || links[0].Kind != engine.KindSuspect {
				t.Fatalf("%s: not a single suspect: %+v", url, links)
			}
			if got, want := codes(links[0]), codes(parse(t, url)); !slices.Equal(got, want) {
				t.Errorf("%s: %v in a text, %v in an href", url, got, want)
			}
		}
	}
	for _, url := range []string{"http://w%77w.example.com+x.evil.com", "http://example.com%21.evil.com/"} {
		if links := scanner.Append(nil, url); len(links) != 1 || !slices.Contains(codes(links[0]), "invalid-idna medium") {
			t.Errorf("%s: %+v", url, links)
		}
	}
}
