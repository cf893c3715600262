package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/policy"
)

// brokenEscapes returns percent signs that do not begin an escape, and escapes that are not
// well-formed UTF-8: each byte beyond ASCII, alone and behind two lead bytes.
func brokenEscapes() []string {
	list := []string{"%", "%%", "%z", "%zz", "%g0", "%0g", "%4", "%%4", "%+1", "%-1", "%0x", "%é", "%\uff12\uff10"}
	for b := 0x80; b <= 0xff; b++ {
		list = append(list, fmt.Sprintf("%%%02X", b), fmt.Sprintf("%%C0%%%02x", b), fmt.Sprintf("%%E0%%%02x", b))
	}
	return list
}

// worstOf returns the highest severity of the findings with a code that a link has.
func worstOf(t *testing.T, j *policy.Judge, link string, code policy.Code) policy.Severity {
	t.Helper()
	worst := policy.SeverityNone
	for _, f := range j.Link(parse(t, link)).Findings {
		if f.Code == code {
			worst = max(worst, f.Severity)
		}
	}
	return worst
}

// TestBrokenEscapeHidesNothing: browsers decode the escapes around a broken one. So a broken escape
// hides neither a URL within the link nor a character.
func TestBrokenEscapeHidesNothing(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, broken := range brokenEscapes() {
		for _, tt := range []struct {
			link     string
			code     policy.Code
			severity policy.Severity
		}{
			{"https://www.example.com/?u=https%3A%2F%2Fpaypa1.com%2F" + broken, policy.CodeLookalike, policy.SeverityHigh},
			{"https://www.example.com/?u=https%3A%2F%2Fpaypa1.com%2Fa%3F" + broken + "%20b", policy.CodeLookalike, policy.SeverityHigh},
			{"https://www.example.com/#https%3A%2F%2Fp%61ypa1.com/" + broken, policy.CodeLookalike, policy.SeverityHigh},
			{"https://www.example.com/" + broken + "?u=https%3A%2F%2Fpaypa1.com%2F", policy.CodeLookalike, policy.SeverityHigh},
			{"https://www.example.com/?u=https%253A%252F%252Fpaypa1.com%252F" + broken, policy.CodeLookalike, policy.SeverityHigh},
			{"https://www.example.com/" + broken + "/%E2%80%AEgpj.exe", policy.CodeBidiControl, policy.SeverityHigh},
			{"https://www.example.com/a%E2%80%AE" + broken, policy.CodeBidiControl, policy.SeverityHigh},
			// A joiner and a variation selector need a character before them.
			{"https://www.example.com/क्" + broken + "/%E2%80%8Dष", policy.CodeInvisibleCharacter, policy.SeverityLow},
			{"https://www.example.com/?a=" + broken + "/%E2%80%8B", policy.CodeInvisibleCharacter, policy.SeverityLow},
		} {
			if got := worstOf(t, j, tt.link, tt.code); got != tt.severity {
				t.Errorf("%s: %s is %s, want %s", tt.link, tt.code, got, tt.severity)
			}
		}
	}
}

// TestBrokenEscapeParts: a broken escape separates the characters beside it. A
// joiner does not join them, and a variation selector has no effect behind an
// escape that is not a character.
func TestBrokenEscapeParts(t *testing.T) {
	const code, joiner, selector = policy.CodeInvisibleCharacter, "%E2%80%8D", "%EF%B8%8F"
	j := newJudge(t, policy.Options{})
	for _, honest := range []string{"/क्" + joiner + "ष", "/%E0%A4%95" + joiner + "%E0%A4%B7", "/%E2%9D%A4" + selector} {
		if got := worstOf(t, j, "https://www.example.com"+honest, code); got != policy.SeverityNone {
			t.Errorf("%s: %s is %s", honest, code, got)
		}
	}
	for _, broken := range brokenEscapes() {
		if strings.HasSuffix(broken, "é") || strings.HasSuffix(broken, "\uff10") {
			continue // ends in a character
		}
		paths := []string{"/क्" + broken + joiner + "ष", "/%E0%A4%95" + broken + joiner + "%E0%A4%B7"}
		if percent.HasStray(broken) {
			paths = append(paths, "/%E2%9D%A4"+broken+selector)
		}
		for _, path := range paths {
			if got := worstOf(t, j, "https://www.example.com"+path, code); got != policy.SeverityLow {
				t.Errorf("%s: %s is %s, want low", path, code, got)
			}
		}
	}
}

// TestURLDefenseBrokenEscape: URL Defense version 2 writes "-" for the percent sign. A "-" without
// two digits behind it, or a percent sign, hides nothing.
func TestURLDefenseBrokenEscape(t *testing.T) {
	const before, after = "https://urldefense.proofpoint.com/v2/url?u=https-3A__", "&d=x"
	check(t, []judged{
		{"behind the host", before + "paypa1.com_a-zz" + after, policy.CodeLookalike, policy.SeverityHigh},
		{"behind an escaped host", before + "paypa1-2Ecom_a-zz" + after, policy.CodeLookalike, policy.SeverityHigh},
		{"a hyphen in the host", before + "www-x.paypa1.com_" + after, policy.CodeLookalike, policy.SeverityHigh},
		{"at the end", before + "paypa1.com_a-" + after, policy.CodeLookalike, policy.SeverityHigh},
		{"both kinds of escape", before + "www-2Epa%79pa1%2D2Ecom_" + after, policy.CodeLookalike, policy.SeverityHigh},
		{"a percent sign", before + "paypa1.com_100-25-" + after, policy.CodeLookalike, policy.SeverityHigh},
	})
}

// TestGeneratedEscapedHosts: a host of letters with percent escapes for some of them is over-escaped. It was
// an invalid name, too ("http://w%77%77.example.com"), and is judged as what browsers open.
func TestGeneratedEscapedHosts(t *testing.T) {
	j := newJudge(t, policy.Options{})
	scanner, random, read := newScanner(t), rand.New(rand.NewPCG(52, 7)), 0
	for range 3000 {
		host := []string{"www.example.com", "example.org", "mail.example.co.uk", "a-b.example.de", "my_host.example.net", "paypa1.com"}[random.IntN(6)]
		escaped := ""
		for _, c := range []byte(host) {
			switch {
			case c == '.' || random.IntN(3) > 0:
				escaped += string(c)
			case random.IntN(2) == 0:
				escaped += fmt.Sprintf("%%%02X", c)
			default:
				escaped += fmt.Sprintf("%%%02x", c)
			}
		}
		if escaped == host {
			continue
		}
		for _, link := range scanner.Append(nil, "http://"+escaped+"/x") {
			read++
			if got := link.ASCIIHost(); got != host {
				t.Errorf("%s: opens %q", escaped, got)
			}
			v := j.Link(link)
			has := func(code policy.Code) bool {
				return slices.ContainsFunc(v.Findings, func(f policy.Finding) bool { return f.Code == code })
			}
			if !has(policy.CodeOverEscaped) || has(policy.CodeInvalidIDNA) || has(policy.CodeLookalike) != (host == "paypa1.com") {
				t.Errorf("%s: %+v", escaped, v.Findings)
			}
		}
	}
	if read < 2500 {
		t.Errorf("only %d hosts", read)
	}
}
