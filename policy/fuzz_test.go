package policy_test

import (
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// FuzzLink: whatever a text holds, judging its links and suspects does not
// panic, a label is UTF-8 and not long, a detail is printable ASCII, and a
// host that is found at medium or above is not displayed in Unicode.
func FuzzLink(f *testing.F) {
	for _, s := range []string{
		"http://pаypal.com/x%E2%80%AE", "user@раураӏ.com", "http://a:b@xn--a.com", "http://example.com.אב.קום/12",
		"http://0x7f.1/", "www.ーa・b.jp", "http://[::1]/%C0%AF%zz%2561", "http://\u00ad\u200d.com/\u200d\u0307",
	} {
		f.Add(s)
	}
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		f.Fatal(err)
	}
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
				if hostCodes[f.Code] && f.Severity >= policy.SeverityMedium && v.DisplayUnicode {
					t.Errorf("%q: displayed in spite of %+v", text, f)
				}
			}
			policy.Explain(l)
		}
	})
}
