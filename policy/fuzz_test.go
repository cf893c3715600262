package policy_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// FuzzLink judges the links and suspects of any text, without a panic. A label is short and UTF-8,
// a detail is printable ASCII. A host with a finding of medium or above is not displayed in
// Unicode.
func FuzzLink(f *testing.F) {
	for _, s := range []string{
		"http://pаypal.com/x%E2%80%AE", "user@раураӏ.com", "http://a:b@xn--a.com", "http://example.com.אב.קום/12",
		"http://0x7f.1/", "www.ーa・b.jp", "http://[::1]/%C0%AF%zz%2561", "http://\u00ad\u200d.com/\u200d\u0307",
		"https://example.com/?u=https%3A%2F%2Fp\u0430ypal.com", "https://urldefense.com/v2/url?u=https-3A__paypa1.com_a", `http://a.com\@paypal.com`,
		"dhl.com-x.example.net secure-paypal.com.de.example.net wwwpaypal.com", "https://example.net\uff03.paypal.com/",
	} {
		f.Add(s)
	}
	scanner := newScanner(f)
	j := newJudge(f, policy.Options{Protected: []string{"דואר.ישראל"}})
	hostCodes := map[policy.Code]bool{
		policy.CodeMixedScript: true, policy.CodeWholeScript: true, policy.CodeRestrictedCharacter: true,
		policy.CodeMixedDigits: true, policy.CodeObfuscatedIP: true, policy.CodeBidiOrder: true,
	}
	f.Fuzz(func(t *testing.T, text string) {
		links := scanner.Append(nil, text)
		if l, err := engine.ParseLink(text); err == nil {
			links = append(links, l)
		}
		for _, l := range links {
			v := j.Link(l)
			for _, f := range v.Findings {
				if !utf8.ValidString(f.Label) && utf8.ValidString(text) || len(f.Label) > 253 {
					t.Errorf("%q: label %q", text, f.Label)
				}
				for i := range len(f.Detail) {
					if f.Detail[i] < 0x20 || f.Detail[i] > 0x7e {
						t.Errorf("%q: detail %q", text, f.Detail)
					}
				}
				within := strings.HasPrefix(f.Detail, "the link passes on to") || strings.HasPrefix(f.Detail, "other programs open ")
				if hostCodes[f.Code] && f.Severity >= policy.SeverityMedium && v.DisplayUnicode && !within {
					t.Errorf("%q: displayed in spite of %+v", text, f)
				}
			}
		}
	})
}

// FuzzTextTarget judges any text shown for a link, without a panic. A detail is printable ASCII. A
// link that shows its own target has no finding.
func FuzzTextTarget(f *testing.F) {
	f.Add("https://www.paypal.com/", "https://example.net/")
	f.Add("\u202emoc.lapyap", "https://urldefense.com/v3/__https://paypal.com/a__;!!x")
	f.Add("pay\u200cpal.com \u0646\u200c\u0627", "https://example.net\uff20paypal.com/?domain=paypal.com")
	f.Add("anna@example.com via List", "list@example.net")
	f.Add("\u00e9\u200c\u200c", "https://example.net/")
	f.Add("", "https://safelinks.protection.outlook.com/?url=google.com")
	f.Add("", "www.\u202e")
	scanner := newScanner(f)
	j := newJudge(f, policy.Options{})
	f.Fuzz(func(t *testing.T, text, target string) {
		if len(text)+len(target) > 4<<10 {
			return // the filter compares no longer texts
		}
		seen := policy.VisibleText(text)
		if policy.VisibleText(seen) != seen {
			t.Errorf("%+q: more is left out of %+q", text, seen)
		}
		named := scanner.Append(nil, seen)
		findings := slices.Concat(j.TextTarget(text, nil, engine.Link{}), j.RefusedAuthority(target), j.TextScheme(seen, named, target))
		for _, l := range scanner.Append(nil, target) {
			findings = append(findings, j.TextTarget(seen, named, l)...)
			findings = slices.Concat(findings, j.LabelTarget(seen, named, l), j.DisplayName(seen, named, l), j.DisplayName(text, nil, l))
			own := j.TextTarget(l.Text, []engine.Link{l}, l)
			if strings.ContainsAny(l.Text, "\u202d\u202e") && len(own) == 1 && own[0].Code == policy.CodeBidiControl {
				own = nil // it shows other text than it has
			}
			if len(own) > 0 {
				t.Errorf("%q for itself: %+v", l.Text, own)
			}
		}
		for _, f := range findings {
			if strings.ContainsFunc(f.Detail, func(r rune) bool { return r < 0x20 || r > 0x7e }) || len(f.Label) > 253 {
				t.Errorf("%q for %q: %+v", text, target, f)
			}
		}
	})
}
