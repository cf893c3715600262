package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/correspondents"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// codeExamples are for each code the body of a message in which it is found, in
// codeExamples has, for each code, the body of a message in plain text in which it is found. If the
// text begins with a field, it is a whole message.
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
	policy.CodeListed:              "http://listed.example.net/",
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
	report.CodeMalformed:           "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nhttps://www.good.example.com=.example.net/\n",
	report.CodeOpaque:              "Content-Type: application/pdf\n\n%PDF-1.7",
	report.CodePartial:             "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\nContent-Transfer-Encoding: x-unknown\n\nx\n--b--",
	report.CodeUnreadable:          "Content-Transfer-Encoding: x-unknown\n\nx",
	report.CodeClaim:               "From: Ledger <x@example.net>\nSubject: Update\n\nhttps://x.pages.dev/",
	report.CodeSenderAddress:       "From: Correios <aviso@correios>\n\nHello",
	report.CodeMixedWords:          "From: H\u0435lp D\u0435sk <x@example.net>\n\nHello",
	report.CodeFirstContact:        "From: stranger@example.net\n\nHello",
	report.CodeFreeHosting:         "https://invoice-4711.pages.dev/",
	report.CodeUnseen:              "Subject: =?utf-8?q?Pay_=F3=A0=81=89=F3=A0=81=A7=F3=A0=81=AE=F3=A0=81=AF?=\n\nHello",
	report.CodeUnalignedLink:       "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\nFrom: a@example.com\n\nhttps://example.net/",
}

// TestEveryCodeThroughScan: for each code, scan reports a finding with the documented severity for
// its message, and --fail-on counts it.
func TestEveryCodeThroughScan(t *testing.T) {
	dir := t.TempDir()
	configuration := filepath.Join(dir, "linkmilter.toml")
	if err := os.WriteFile(configuration, []byte("[header]\nid = \"mx.example.org\"\nauthserv_ids = [\"mx.example.org\"]\n[policy]\nblock = [\"blocked.example.net\"]\n[[list]]\nname = \"feed\"\nfile = \""+filepath.Join(dir, "feed")+"\"\n[correspondents]\nfile = \""+filepath.Join(dir, "correspondents.db")+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "feed"), []byte("listed.example.net\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CACHE_DIRECTORY", dir)
	update := newRoot()
	update.SetArgs([]string{"lists", "update", "--config", configuration})
	update.SetOut(&bytes.Buffer{})
	if err := update.Execute(); err != nil {
		t.Fatal(err)
	}
	known, err := correspondents.Open(t.Context(), filepath.Join(dir, "correspondents.db"), true)
	if err == nil {
		err = known.Close()
	}
	if err != nil {
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

func TestSinceFlag(t *testing.T) {
	now := time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Time{
		"":           {},
		"2026-11-01": time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC),
		"0d":         now,
		"7d":         now.AddDate(0, 0, -7),
		"1w":         now.AddDate(0, 0, -7),
		"52w":        now.AddDate(0, 0, -364),
		"12h":        now.Add(-12 * time.Hour),
		"1h30m":      now.Add(-90 * time.Minute),
	} {
		if got, err := sinceFlag(value, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v and %v, want %v", value, got, err, want)
		}
	}
	for _, value := range []string{"w", "d", "-1w", "1.5w", "70000w", "1y", "1w2d", "yesterday", "-2h"} {
		if got, err := sinceFlag(value, now); err == nil {
			t.Errorf("%q: %v, want an error", value, got)
		}
	}
}

// TestReceivedAt: the first field Received says when a server took a message, however it is
// folded.
func TestReceivedAt(t *testing.T) {
	want := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	const date = "Mon, 16 Nov 2026 10:00:00 +0100"
	for name, raw := range map[string]string{
		"folded":     "Return-Path: <>\r\nReceived: from a\r\n\tby b;\r\n " + date + "\r\nReceived: x; Mon, 16 Nov 2020 10:00:00 +0100\r\n\r\n",
		"other case": "rEceived : by b; " + date + "\n\n",
		"many lines": "Received: by b\n" + strings.Repeat(" a\n", maxAboveReceived/4) + "\t; " + date + "\n\n",
	} {
		if got := receivedAt([]byte(raw)); !got.Equal(want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, raw := range map[string]string{"none": "Date: " + date + "\n\n", "in the body": "Subject: x\n\nReceived: by b; " + date + "\n", "no date": "Received: by b\n\n", "empty": ""} {
		if got := receivedAt([]byte(raw)); !got.IsZero() {
			t.Errorf("%s: %s", name, got)
		}
	}
	// Many short lines cost no more than the same bytes in one line.
	allocated := testing.AllocsPerRun(1, func() { receivedAt([]byte("Received: b\n" + strings.Repeat(" a\n", maxAboveReceived/3))) })
	if allocated > 200 {
		t.Errorf("%v allocations", allocated)
	}
}
