package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// codeExamples are for each code the body of a message in which it is found, in
// plain text; or all of a message, where it begins with a field.
var codeExamples = map[policy.Code]string{
	policy.CodeMixedScript:         "http://p\u0430ypal.com",
	policy.CodeWholeScript:         "http://\u0440\u0430\u0443\u0440\u0430\u04cf.com",
	policy.CodeLookalike:           "write to service@paypa1.com",
	policy.CodeRestrictedCharacter: "http://\u0261oogle.com",
	policy.CodeMixedDigits:         "http://8\u09ea.com",
	policy.CodeInvisibleCharacter:  "http://exam\u200bple.com",
	policy.CodeSyntaxLookalike:     "http://example.com\u2044login.example.net",
	policy.CodeInvalidIDNA:         "http://xn--a.com",
	policy.CodeUnknownTLD:          "http://example.zzzz",
	policy.CodeInvalidTLD:          "http://example.a",
	policy.CodeIPHost:              "http://192.0.2.1/",
	policy.CodeObfuscatedIP:        "http://0xc0000201/",
	policy.CodeTooLong:             "http://" + strings.Repeat("a", 64) + ".com",
	policy.CodeBidiOrder:           "http://example.com.\u05d0\u05d1.\u05e7\u05d5\u05dd",
	policy.CodeBlocked:             "http://blocked.example.net/",
	policy.CodeShortener:           "https://bit.ly/abc",
	policy.CodeUserinfo:            "http://www.example.com@example.net/",
	policy.CodeBidiControl:         "http://example.com/a%E2%80%AEgpj.exe",
	policy.CodeMixedScriptPath:     "http://example.com/l\u043egin",
	policy.CodeOverEscaped:         "http://ex%61mple.com/login",
	policy.CodeDoubleEscaped:       "http://example.com/%25E0%25A4",
	policy.CodeInvalidEscape:       "http://example.com/..%C0%AFetc",
	policy.CodeEmailProfile:        "p\u0430ypal@example.net",
	policy.CodeDisplayName:         "From: \"service@paypal.com\" <service@example.net>\n\nHello",
	policy.CodeTextTargetMismatch:  "Content-Type: text/html\n\n<a href=\"https://example.net/\">https://paypal.com/</a>",
	policy.CodeStyledText:          "Content-Type: text/html\n\n<a href=\"https://example.net/\">.com<b style=\"position:absolute;left:0\">paypal</b></a>",
	report.CodeForgedField:         strings.Repeat("X-Linkmilter: mx.example.org; action=none\n", 70) + "\nHello",
	report.CodeMalformed:           "MIME-Version: 2.0\n\nHello",
	report.CodeOpaque:              "Content-Type: application/pdf\n\n%PDF-1.7",
	report.CodePartial:             "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\nContent-Transfer-Encoding: x-unknown\n\nx\n--b--",
	report.CodeUnreadable:          "Content-Transfer-Encoding: x-unknown\n\nx",
	report.CodeUnalignedLink:       "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\nFrom: a@example.com\n\nhttps://example.net/",
}

// TestEveryCodeThroughScan: each code there is comes out of scan on a message,
// as a finding of the severity that is documented as the default, and --fail-on
// counts it.
func TestEveryCodeThroughScan(t *testing.T) {
	dir := t.TempDir()
	configuration := filepath.Join(dir, "linkmilter.toml")
	if err := os.WriteFile(configuration, []byte("[header]\nid = \"mx.example.org\"\nauthserv_ids = [\"mx.example.org\"]\n[policy]\nblock = [\"blocked.example.net\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	codes := maps.Collect(policy.Codes())
	maps.Copy(codes, filter.MessageSeverities())
	for code, severity := range codes {
		t.Run(string(code), func(t *testing.T) {
			message, ok := codeExamples[code]
			if !ok {
				t.Fatal("no example")
			}
			if head, _, _ := strings.Cut(message, " "); !strings.HasSuffix(head, ":") {
				message = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nSee " + message + " now.\n"
			}
			cmd := newRoot()
			var out bytes.Buffer
			cmd.SetOut(&out)
			cmd.SetErr(&bytes.Buffer{})
			cmd.SetIn(strings.NewReader(message))
			cmd.SetArgs([]string{"scan", "--config", configuration, "--format", "json", "--fail-on", severity.String()})
			if err := cmd.Execute(); err != errFindings {
				t.Errorf("--fail-on %s: %v", severity, err)
			}
			worst := policy.SeverityNone
			for decoder := json.NewDecoder(&out); decoder.More(); {
				var r record.Record
				if err := decoder.Decode(&r); err != nil {
					t.Fatal(err)
				}
				for _, f := range r.Findings {
					if f.Code == code {
						worst = max(worst, f.Severity)
					}
				}
			}
			if worst != severity {
				t.Errorf("found %s, want %s", worst, severity)
			}
		})
	}
}
