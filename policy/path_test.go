package policy_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

func TestMixedScriptPath(t *testing.T) {
	const code = policy.CodeMixedScriptPath
	check(t, []judged{
		{"one letter", "http://example.com/lоgin", code, policy.SeverityLow},
		{"escaped", "http://example.com/l%D0%BEgin", code, policy.SeverityLow},
		{"in a query", "http://example.com/?q=lоgin", code, policy.SeverityLow},
		{"in a fragment", "http://example.com/#lоgin", code, policy.SeverityLow},
		{"a letter that does not pass for Latin", "http://example.com/μTorrent", code, policy.SeverityInfo},
		{"words of different scripts", "http://example.com/3D-принтер/Язык_C", code, policy.SeverityNone},
		{"Latin and Japanese", "http://example.com/Tシャツ", code, policy.SeverityNone},
		{"one script", "http://example.com/Вікіпедія", code, policy.SeverityNone},
		{"local-part of one script", "почта@example.com", code, policy.SeverityNone},
	})
}

func TestLookalikeInPath(t *testing.T) {
	const code = policy.CodeLookalike
	check(t, []judged{
		{"one letter", "http://example.com/pаypal/login", code, policy.SeverityMedium},
		{"all letters", "http://example.com/раураӏ", code, policy.SeverityMedium},
		{"escaped", "http://example.com/p%D0%B0ypal", code, policy.SeverityMedium},
		{"a domain", "http://example.com/pаypal.com/", code, policy.SeverityMedium},
		{"in a local-part", "pаypal@example.com", code, policy.SeverityMedium},
		{"the name itself", "http://example.com/paypal", code, policy.SeverityNone},
		{"an accent", "http://example.com/ápple", code, policy.SeverityNone},
		{"within a longer word", "http://example.com/xpаypalx", code, policy.SeverityNone},
	})
}

func TestBidiControl(t *testing.T) {
	const code = policy.CodeBidiControl
	check(t, []judged{
		{"override", "http://example.com/a\u202egpj.exe", code, policy.SeverityHigh},
		{"escaped override", "http://example.com/a%E2%80%AEgpj.exe", code, policy.SeverityHigh},
		{"isolate", "http://example.com/a\u2067b", code, policy.SeverityMedium},
		{"mark after a Hebrew title", "http://example.com/%D7%A9%E2%80%8E", code, policy.SeverityLow},
		{"right-to-left letters", "http://example.com/שלום", code, policy.SeverityNone},
	})
}

func TestEscapes(t *testing.T) {
	check(t, []judged{
		{"escaped letters", "http://example.com/%61%62", policy.CodeOverEscaped, policy.SeverityLow},
		{"escaped host", "http://ex%61mple.com/", policy.CodeOverEscaped, policy.SeverityMedium},
		{"escaped tilde", "http://example.com/%7Euser", policy.CodeOverEscaped, policy.SeverityNone},
		{"escaped letters of other scripts", "http://example.com/%C3%BC", policy.CodeOverEscaped, policy.SeverityNone},
		{"escaped syntax", "http://example.com/a%2Fb%3F", policy.CodeOverEscaped, policy.SeverityNone},
		{"an escape escaped", "http://example.com/%25E0%25A4", policy.CodeDoubleEscaped, policy.SeverityInfo},
		{"an escaped percent sign", "http://example.com/100%25", policy.CodeDoubleEscaped, policy.SeverityNone},
		{"percent sign alone", "http://example.com/100%", policy.CodeInvalidEscape, policy.SeverityLow},
		{"percent sign before letters", "http://example.com/%zz", policy.CodeInvalidEscape, policy.SeverityLow},
		{"NUL", "http://example.com/a%00b", policy.CodeInvalidEscape, policy.SeverityMedium},
		{"overlong slash", "http://example.com/..%C0%AFetc", policy.CodeInvalidEscape, policy.SeverityMedium},
		{"overlong in three", "http://example.com/%E0%80%AF", policy.CodeInvalidEscape, policy.SeverityMedium},
		{"Latin-1", "http://example.com/caf%E9", policy.CodeInvalidEscape, policy.SeverityNone},
		{"Latin-1 before a slash", "http://example.com/%C0/x", policy.CodeInvalidEscape, policy.SeverityNone},
		{"well-formed", "http://example.com/%E0%A4%AE", policy.CodeInvalidEscape, policy.SeverityNone},
	})
}

func TestAuthority(t *testing.T) {
	check(t, []judged{
		{"userinfo that reads as a host", "http://www.example.com@example.net/", policy.CodeUserinfo, policy.SeverityHigh},
		{"with a password", "http://example.com:secret@example.net/", policy.CodeUserinfo, policy.SeverityHigh},
		{"user and password", "ftp://user:secret@example.net/", policy.CodeUserinfo, policy.SeverityMedium},
		{"user of a repository", "https://anna@dev.azure.com/anna/_git/x", policy.CodeUserinfo, policy.SeverityLow},
		{"user below the host of repositories", "https://anna@x.github.com/", policy.CodeUserinfo, policy.SeverityMedium},
		{"host as the user of a repository", "https://www.example.com@github.com/x", policy.CodeUserinfo, policy.SeverityHigh},
		{"at sign in a path", "http://example.com/@user", policy.CodeUserinfo, policy.SeverityNone},
		{"address", "user@example.com", policy.CodeUserinfo, policy.SeverityNone},
		{"IPv4", "http://192.0.2.1/", policy.CodeIPHost, policy.SeverityLow},
		{"IPv6", "http://[2001:db8::1]/", policy.CodeIPHost, policy.SeverityLow},
		{"a name of digits", "http://163.com/", policy.CodeIPHost, policy.SeverityNone},
		{"hexadecimal IPv4", "http://0xc0.0.2.1/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"one number", "http://3221225985/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"octal IPv4", "http://0300.0.2.1/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"full-width IPv4", "http://１９２.0.2.1/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"IPv4 as IPv6", "http://[::ffff:c000:201]/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"IPv4 within IPv6", "http://[::ffff:192.0.2.1]/", policy.CodeObfuscatedIP, policy.SeverityHigh},
		{"plain IPv4", "http://192.0.2.1/", policy.CodeObfuscatedIP, policy.SeverityNone},
		{"IPv6 in another spelling", "http://[2001:DB8:0::1]/", policy.CodeObfuscatedIP, policy.SeverityNone},
	})
}

// TestPathLabels: the label of a finding about a path is the word or character that it is about.
func TestPathLabels(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for path, want := range map[string]policy.Finding{
		"/a%E2%80%AEb": {Code: policy.CodeBidiControl, Label: "\u202e"},
		"/a\u200bb":    {Code: policy.CodeInvisibleCharacter, Label: "\u200b"},
		"/a%zz":        {Code: policy.CodeInvalidEscape, Label: "%"},
		"/a%00":        {Code: policy.CodeInvalidEscape, Label: "%00"},
		"/%25E0":       {Code: policy.CodeDoubleEscaped, Label: "%25E0"},
		"/%61":         {Code: policy.CodeOverEscaped, Label: "%61"},
	} {
		if got := j.Link(parse(t, "http://example.com"+path)).Findings; len(got) == 0 || got[0].Code != want.Code || got[0].Label != want.Label {
			t.Errorf("%q: findings %+v; want %s about %q", path, got, want.Code, want.Label)
		}
	}
}
