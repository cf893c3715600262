package policy_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/env"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
	"github.com/linkmilter/linkmilter/policy"
)

var update = flag.Bool("update", false, "write the generated parts of docs/findings.md again")

// sources has the codes of each chapter of docs/findings.md, with their source and an example.
var sources = map[string][]docs.Code{
	"host": {
		{Name: "mixed-script", Source: "UTS #39 §5.2", Example: "`pаypal.com`, with a Cyrillic а"},
		{Name: "whole-script-confusable", Source: "UTS #39 §4.1", Example: "`раураӏ.com`, all Cyrillic"},
		{Name: "lookalike", Source: "UTS #39 §4", Example: "`paypa1.com`"},
		{Name: "restricted-character", Source: "UTS #39 §3.1", Example: "`ɡoogle.com`, with a phonetic ɡ"},
		{Name: "mixed-digits", Source: "UTS #39 §5.3", Example: "`8৪.com`"},
		{Name: "invisible-character", Source: "UAX #44, browsers", Example: "a zero width space in a host"},
		{Name: "syntax-lookalike", Source: "UTS #39 §4, browsers", Example: "`example.com⁄login.example.net`"},
		{Name: "invalid-idna", Source: "UTS #46 §4", Example: "`http://xn--a.com`"},
		{Name: "unknown-tld", Source: "IANA", Example: "`http://example.zzzz`"},
		{Name: "invalid-tld", Source: "RFC 3696 §2", Example: "`http://example.a`"},
		{Name: "ip-host", Source: "RFC 3986 §3.2.2", Example: "`http://192.0.2.1/`"},
		{Name: "obfuscated-ip", Source: "WHATWG URL §3.5", Example: "`http://0xc0000201/`"},
		{Name: "too-long", Source: "RFC 1035 §2.3.4", Example: "a label of 64 bytes"},
		{Name: "bidi-order", Source: "UAX #9", Example: "`example.com.אב.קום`"},
		{Name: "blocked", Source: "your configuration", Example: "a host of `policy.block`"},
		{Name: "listed", Source: "lists of others", Example: "a host or URL of a `[[list]]`, or a host of a `[[dns.list]]`"},
		{Name: "shortener", Source: "list of services", Example: "`https://bit.ly/abc`"},
	},
	"link": {
		{Name: "userinfo", Source: "RFC 3986 §7.6", Example: "`http://www.example.com@example.net/`"},
		{Name: "bidi-control", Source: "UAX #9 §2", Example: "`/a%E2%80%AEgpj.exe`"},
		{Name: "mixed-script-path", Source: "UTS #39 §5.2", Example: "`/lоgin`, with a Cyrillic о"},
		{Name: "over-escaped", Source: "RFC 3986 §2.3", Example: "`http://ex%61mple.com`"},
		{Name: "double-escaped", Source: "RFC 3986 §2.4", Example: "`/%25E0%25A4`"},
		{Name: "invalid-escape", Source: "RFC 3986 §2.1, RFC 3629 §3", Example: "`/..%C0%AFetc`"},
	},
	"address": {
		{Name: "email-profile", Source: "UTS #39 §3.3", Example: "`pаypal@example.net`, with a Cyrillic а"},
		{Name: "display-name", Source: "mail programs", Example: "`PayPal <x@example.net>`"},
	},
	"text": {
		{Name: "text-target-mismatch", Source: "browsers, UASG", Example: "`<a href=\"https://example.net/\">https://paypal.com/</a>`"},
		{Name: "styled-text", Source: "mail programs", Example: "`<a href=\"https://example.net/\">.com<b style=\"position:absolute;left:0\">paypal</b></a>`"},
	},
}

// TestFindingsPage: docs/findings.md has a section for every code, with its variants.
// Package filter tests the sections about messages.
func TestFindingsPage(t *testing.T) {
	want := make(map[string]string)
	severities := maps.Collect(policy.Codes())
	var names []string
	for _, part := range []string{"host", "link", "address", "text"} {
		codes := slices.Clone(sources[part])
		for i, c := range codes {
			if _, ok := severities[policy.Code(c.Name)]; !ok {
				t.Fatalf("code %q: unknown", c.Name)
			}
			for _, v := range policy.Variants() {
				if string(v.Code) == c.Name {
					codes[i].Variants = append(codes[i].Variants, docs.Variant{Name: v.Name, Severity: v.Severity.String(), Text: v.Text})
				}
			}
			want[c.Name] = docs.Section(codes[i])
			names = append(names, c.Name)
		}
	}
	rules := [][]string{{"rule", "the label has", "code"}}
	for _, rule := range policy.DisplayRules()[1:] {
		rules = append(rules, []string{"`" + rule.String() + "`", rule.Reason(), "`" + string(policy.SeverityCode(rule)) + "`"})
	}
	want["display"] = docs.Table(rules...)
	docs.Check(t, "findings.md", want, *update)

	var all []string
	for c := range policy.Codes() {
		all = append(all, string(c))
	}
	if !slices.Equal(names, all) {
		t.Errorf("sources:\n%q\ncode:\n%q", names, all)
	}
	for _, c := range slices.Sorted(maps.Keys(filter.MessageSeverities())) {
		all = append(all, string(c))
	}
	text, err := os.ReadFile(filepath.Join(env.Root(t), "docs", "findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for _, m := range regexp.MustCompile("(?m)^### ([a-z-]+)$").FindAllSubmatch(text, -1) {
		headings = append(headings, string(m[1]))
	}
	if !slices.Equal(headings, all) {
		t.Errorf("sections:\n%q\ncode:\n%q", headings, all)
	}
}

// TestEveryCodeFires: each code is found, and at its worst has the severity
// that Codes gives.
func TestEveryCodeFires(t *testing.T) {
	examples := map[policy.Code]string{
		policy.CodeMixedScript:         "http://pаypal.com",
		policy.CodeWholeScript:         "http://раураӏ.com",
		policy.CodeLookalike:           "http://paypa1.com",
		policy.CodeRestrictedCharacter: "http://ɡoogle.com",
		policy.CodeMixedDigits:         "http://8৪.com",
		policy.CodeInvisibleCharacter:  "http://exam\u200bple.com",
		policy.CodeSyntaxLookalike:     "http://example.com⁄login.example.net",
		policy.CodeInvalidIDNA:         "http://xn--a.com",
		policy.CodeUnknownTLD:          "http://example.zzzz",
		policy.CodeInvalidTLD:          "http://example.a",
		policy.CodeIPHost:              "http://192.0.2.1/",
		policy.CodeObfuscatedIP:        "http://0xc0000201/",
		policy.CodeTooLong:             "http://" + strings.Repeat("a", 64) + ".com",
		policy.CodeBidiOrder:           "http://example.com.אב.קום",
		policy.CodeBlocked:             "http://blocked.example.org/",
		policy.CodeListed:              "http://listed.example.org/",
		policy.CodeShortener:           "https://bit.ly/abc",
		policy.CodeUserinfo:            "http://www.example.com@example.net/",
		policy.CodeBidiControl:         "http://example.com/a%E2%80%AEgpj.exe",
		policy.CodeMixedScriptPath:     "http://example.com/lоgin",
		policy.CodeOverEscaped:         "http://ex%61mple.com/login",
		policy.CodeDoubleEscaped:       "http://example.com/%25E0%25A4",
		policy.CodeInvalidEscape:       "http://example.com/..%C0%AFetc",
		policy.CodeEmailProfile:        "pаypal@example.com",
		policy.CodeDisplayName:         "x@example.com",       // with the name below
		policy.CodeTextTargetMismatch:  "http://example.com/", // with the text below
		policy.CodeStyledText:          "http://example.com/", // with a text that styles draw
	}
	scanner := newScanner(t)
	j := newJudge(t, policy.Options{Block: []string{".example.org"}, Lists: lines{
		"http://listed.example.org/": {List: "feed", Line: 12, Label: "listed.example.org", Severity: policy.SeverityHigh},
	}})
	for c, want := range policy.Codes() {
		t.Run(string(c), func(t *testing.T) {
			l, err := engine.ParseLink(examples[c])
			if err != nil { // no browser opens it: a suspect
				links := scanner.Append(nil, examples[c])
				if len(links) != 1 {
					t.Fatalf("%q: %d links", examples[c], len(links))
				}
				l = links[0]
			}
			worst := policy.SeverityNone
			findings := j.Link(l).Findings
			const text = "https://www.paypal.com/"
			switch c {
			case policy.CodeTextTargetMismatch:
				findings = j.TextTarget(text, scanner.Append(nil, text), l)
			case policy.CodeStyledText:
				findings = j.StyledText(l)
			case policy.CodeDisplayName:
				findings = j.DisplayName(text, scanner.Append(nil, text), l)
			}
			for _, f := range findings {
				if f.Code == c {
					worst = max(worst, f.Severity)
				}
			}
			if worst != want {
				t.Errorf("%q: %s, want %s", examples[c], worst, want)
			}
		})
	}
}

// TestFindingsSayWhatToDo: the section of each code in docs/findings.md says what to do.
func TestFindingsSayWhatToDo(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(env.Root(t), "docs", "findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split(string(text), "\n### ")[1:] {
		if code, body, _ := strings.Cut(section, "\n"); !strings.Contains(body, "\nWhat to do: ") {
			t.Errorf("%s: not a word about what to do", code)
		}
	}
}
