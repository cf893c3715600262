package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

// TestAuthorityLookalikes: texts that resemble deceptive authorities, but are none, have no finding
// of their codes.
func TestAuthorityLookalikes(t *testing.T) {
	none := policy.SeverityNone
	check(t, []judged{
		{"an at in the path", "https://medium.com/@example.com", policy.CodeUserinfo, none},
		{"an at in the query", "https://www.example.com?u=a@example.net", policy.CodeUserinfo, none},
		{"an at in the fragment", "https://www.example.com#@example.net", policy.CodeUserinfo, none},
		{"a key of JSON", `https://schema.org","@type`, policy.CodeUserinfo, none},
		{"a quotation mark", `https://schema.org"@example.net/`, policy.CodeUserinfo, policy.SeverityHigh},
		{"a quotation mark before an ideographic full stop", "https://schema.org\"@example\u3002net/", policy.CodeUserinfo, policy.SeverityHigh},
		{"a quotation mark before a number", `https://schema.org"@2130706433/`, policy.CodeUserinfo, policy.SeverityHigh},
		{"an address", "anna@example.com", policy.CodeUserinfo, none},
		{"a mailto", "mailto:anna@example.com", policy.CodeUserinfo, none},
		{"a new top-level domain", "http://example.museum", policy.CodeUnknownTLD, none},
		{"a top-level domain in capitals", "http://EXAMPLE.COM", policy.CodeUnknownTLD, none},
		{"an internationalized one", "http://пример.рф", policy.CodeUnknownTLD, none},
		{"the same as A-label", "http://example.xn--p1ai", policy.CodeUnknownTLD, none},
		{"a final dot", "http://example.com.", policy.CodeUnknownTLD, none},
		{"an address in digits", "http://192.0.2.1/", policy.CodeUnknownTLD, none},
		{"a top-level domain of two letters", "http://example.de", policy.CodeInvalidTLD, none},
		{"one with a digit, unknown", "http://example.a1", policy.CodeInvalidTLD, none},
		{"digits before the top-level domain", "http://192.0.2.1.example.com/", policy.CodeIPHost, none},
		{"a name like an address", "http://ip-192-0-2-1.example.com/", policy.CodeIPHost, none},
		{"an address as written", "http://192.0.2.1/", policy.CodeObfuscatedIP, none},
		{"an IPv6 address", "http://[2001:db8::1]/", policy.CodeObfuscatedIP, none},
		{"hexadecimal letters in a name", "http://0xc0000201.example.com/", policy.CodeObfuscatedIP, none},
		{"a version of a package", "mailto:express@4.18.2", policy.CodeObfuscatedIP, none},
		{"a number behind a local-part", "mailto:mode@57", policy.CodeObfuscatedIP, none},
		{"a mapped address of an address", "mailto:anna@[::ffff:192.0.2.1]", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"a version as a host", "http://4.18.2/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"symbols for letters before a full stop beyond ASCII", "http://ⓟⓐⓨⓟⓐⓛⓛ。com", policy.CodeLookalike, policy.SeverityLow},
		{"symbol before a full stop beyond ASCII", "http://★。com", policy.CodeRestrictedCharacter, policy.SeverityMedium},
		{"a label of 63 bytes", "http://" + strings.Repeat("a", 63) + ".com", policy.CodeTooLong, none},
		{"a name of 253 bytes", "http://" + strings.Repeat("abcdefg.", 31) + "ab.de", policy.CodeTooLong, none},
		{"hyphens in the third and fourth place", "http://r3---sn.example.com", policy.CodeInvalidIDNA, none},
		{"an A-label", "http://xn--bcher-kva.com", policy.CodeInvalidIDNA, none},
		{"an escape in the path", "http://example.com/%C3%A4", policy.CodeOverEscaped, none},
		{"a right-to-left host", "http://www.אב.com", policy.CodeBidiOrder, none},
		{"a right-to-left name below one label", "http://example.אב.קום", policy.CodeBidiOrder, none},
	})
}

// TestDecodedLabels: a label is judged as its U-label, however it
// is written.
func TestDecodedLabels(t *testing.T) {
	j := newJudge(t, policy.Options{})
	find := func(link string) (codes []string) {
		for _, f := range j.Link(parse(t, link)).Findings {
			if f.Code != policy.CodeOverEscaped {
				codes = append(codes, string(f.Code)+" "+f.Severity.String()+" "+f.Label)
			}
		}
		slices.Sort(codes)
		return codes
	}
	for _, label := range []string{
		"p\u0430ypal",                          // Cyrillic a
		"\u0440\u0430\u0443\u0440\u0430\u04cf", // all Cyrillic
		"\u03b1lpha",                           // Greek and Latin
		"shop\u0e44\u0e17\u0e22",               // Latin and Thai
		"\u0261oogle",                          // phonetic g
		"8\u09ea",                              // Bengali four
		"16\u0437",                             // ze among digits
		"a\u30fcb",                             // prolonged sound mark
		"l\u0131\u0301nk",                      // mark on a dotless i
		"paypa1", "b\u00fccher", "\u65e5\u672c\u8a9e",
	} {
		host := label + ".com"
		l := parse(t, "http://"+host)
		var escaped, wide strings.Builder
		for i := range len(host) {
			escaped.WriteString("%" + string("0123456789ABCDEF"[host[i]>>4]) + string("0123456789ABCDEF"[host[i]&15]))
		}
		for _, r := range host {
			if '!' <= r && r <= '~' {
				r += 0xfee0
			}
			wide.WriteRune(r)
		}
		want := find("http://" + host)
		for how, form := range map[string]string{
			"A-label":         l.ASCIIHost(),
			"upper case":      strings.ToUpper(l.ASCIIHost()),
			"percent-encoded": escaped.String(),
			"full width":      wide.String(),
			"ideographic dot": strings.Replace(host, ".", "\u3002", 1),
			"final dot":       host + ".",
		} {
			if got := find("http://" + form); !slices.Equal(got, want) {
				t.Errorf("%s as %s (%s): %q, want %q", host, how, form, got, want)
			}
		}
	}
}

// TestTemplates: a placeholder that a program should have filled in is not a deceptive host. Nor is
// a name behind a sign.
func TestTemplates(t *testing.T) {
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{})
	for text, want := range map[string]policy.Severity{
		"http://$host/": policy.SeverityNone, "http://*.example.com/": policy.SeverityNone, "http://${name}.example.com/": policy.SeverityNone, "http://$name.example.com./": policy.SeverityNone,
		"https://****.com": policy.SeverityNone, "https://***.example.com/x": policy.SeverityNone, "https://*.com": policy.SeverityNone,
		"http://$paypa1.com/": policy.SeverityMedium, "http://$paypa1.com./": policy.SeverityMedium, "http://$paypa1.com../": policy.SeverityHigh,
		"https://**x.com": policy.SeverityMedium, "https://pay**.com": policy.SeverityMedium, "https://**.e*.com": policy.SeverityMedium, "https://*.goog1e.com": policy.SeverityHigh, "https://***.goog1e.com": policy.SeverityHigh,
	} {
		worst := policy.SeverityNone
		for _, l := range scanner.Append(nil, "see "+text+" now") {
			for _, f := range j.Link(l).Findings {
				if f.Severity >= policy.SeverityMedium {
					worst = max(worst, f.Severity)
				}
			}
		}
		if worst != want {
			t.Errorf("%s: %s, want %s", text, worst, want)
		}
	}
}
